import {
  type Application,
  type ApplicationId,
  type ApplicationOpened,
  type Centavos,
  type Customer,
  type KycValues,
  type LenderContract,
  opened,
  type PartnerId,
  type QuoteId,
  type QuoteWish,
  type RejectionCode,
  rejectionReason
} from "@lastro/domain"
import { Effect } from "effect"
import { aCustomer, type CustomerBuilder } from "./aCustomer.ts"
import { accepted, answered, exampleNets, moved, quoted, withKyc } from "./applicationStages.ts"
import { Builder, type Owner, partnerIdOf, type Plain } from "./Builder.ts"
import { freshId, freshInstant } from "./Fresh.ts"

/** What the opening of an application can be given. */
export type OpeningFields = Partial<Plain<Omit<ApplicationOpened, "_tag">>>

type Stage = (application: Application) => Effect.Effect<Application>

/** Describes an application: see {@link anApplication}. */
export class ApplicationBuilder extends Builder<Application> {
  readonly #fields: OpeningFields
  readonly #customer: CustomerBuilder
  readonly #stages: ReadonlyArray<Stage>

  constructor(fields: OpeningFields, customer: CustomerBuilder, stages: ReadonlyArray<Stage>) {
    super()
    this.#fields = fields
    this.#customer = customer
    this.#stages = stages
  }

  asEffect(): Effect.Effect<Application> {
    return Effect.flatMap(this.history, ([first, ...rest]) => Effect.succeed(rest.at(-1) ?? first))
  }

  /** Its opening alone. */
  get opening(): Effect.Effect<ApplicationOpened> {
    return Effect.gen({ self: this }, function*() {
      return {
        _tag: "ApplicationOpened",
        at: yield* freshInstant,
        application_id: (yield* freshId) as ApplicationId,
        external_id: `loan-${yield* freshId}`,
        partner_id: (this.#fields.partner_id ?? (yield* freshId)) as PartnerId,
        created_by: yield* freshId,
        customer: yield* this.#customer,
        quote_id: (yield* freshId) as QuoteId,
        wish: { max_installments: null, desired_amount: null },
        ...this.#fields
      } as ApplicationOpened
    })
  }

  /** The application as it was opened, and after each thing that happened to it. */
  get history(): Effect.Effect<readonly [Application, ...ReadonlyArray<Application>]> {
    return Effect.gen({ self: this }, function*() {
      const first = opened(yield* this.opening)
      const rest: Array<Application> = []
      for (const stage of this.#stages) rest.push(yield* stage(rest.at(-1) ?? first))
      return [first, ...rest] as const
    })
  }

  /** The partner that it was told to belong to, if any. */
  get owner(): Owner | undefined {
    return this.#fields.partner_id
  }

  /** The same application but for these fields of its opening. */
  with(fields: OpeningFields): ApplicationBuilder {
    return new ApplicationBuilder({ ...this.#fields, ...fields }, this.#customer, this.#stages)
  }

  /** Of this partner. */
  of(partner: Owner): ApplicationBuilder {
    return this.with({ partner_id: partnerIdOf(partner) })
  }

  /** For this customer. */
  for(customer: Plain<Customer> | CustomerBuilder): ApplicationBuilder {
    const { customer: _, ...fields } = this.#fields
    const who = customer instanceof Builder ? customer : aCustomer(customer)
    return new ApplicationBuilder(fields, who, this.#stages)
  }

  /** With a wish for its first quote. */
  wishing(wish: Partial<Plain<QuoteWish>>): ApplicationBuilder {
    return this.with({ wish: { max_installments: null, desired_amount: null, ...wish } })
  }

  /** Then quoted, with an offer of each net amount. */
  quoted(...nets: ReadonlyArray<Centavos>): ApplicationBuilder {
    return this.#then((one) => quoted(one, { nets: nets.length === 0 ? exampleNets : nets }))
  }

  /** Then refused by the lender, for this reason. */
  refused(code: RejectionCode): ApplicationBuilder {
    const rejection = rejectionReason(code, "Operação não permitida.")
    return this.#then((one) => answered(one, { kind: "REFUSED", rejection }))
  }

  /** Then told this KYC; a complete one of its customer unless given. */
  withKyc(kyc?: KycValues): ApplicationBuilder {
    return this.#then((one) => Effect.succeed(withKyc(one, kyc === undefined ? {} : { kyc })))
  }

  /** Then accepted, its best offer or the one at an index. Throws for an application without a complete KYC or such an offer. */
  accepted(offer = 0): ApplicationBuilder {
    return this.#then((one) => accepted(one, { offer }))
  }

  /** Quoted, told a complete KYC, and accepted. */
  contracted(): ApplicationBuilder {
    return this.quoted().withKyc().accepted()
  }

  /** Then found by the lender to stand so, once it was accepted. */
  moved(status: LenderContract["status"]): ApplicationBuilder {
    return this.#then((one) => Effect.succeed(moved(one, status)))
  }

  #then(stage: Stage): ApplicationBuilder {
    return new ApplicationBuilder(this.#fields, this.#customer, [...this.#stages, stage])
  }
}

/**
 * An application that was just opened, for a fresh customer: its first quote is pending. Further methods tell what happened to it
 * then, which throws a `TestMistake` where it cannot; the fields given replace those of the example's opening.
 */
export const anApplication = (fields: OpeningFields = {}): ApplicationBuilder =>
  new ApplicationBuilder(fields, aCustomer(), [])
