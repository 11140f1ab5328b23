import { type Customer, type KycValues } from "@lastro/domain/kyc"
import { type Application, type ApplicationOpened, type LenderContract, openApplication } from "@lastro/domain/loan"
import { type QuoteWish, type RejectionCode, rejectionReason } from "@lastro/domain/offer"
import { type ApplicationId, type Centavos, type Metadata, type PartnerId, type QuoteId } from "@lastro/domain/values"
import { Effect } from "effect"
import { aCustomer, type CustomerBuilder } from "./aCustomer.ts"
import {
  acceptQuotedOffer,
  answerQuote,
  answerWithOffers,
  exampleNetAmounts,
  recordContractStatus,
  submitExampleKyc
} from "./applicationStages.ts"
import { Builder, type Owner, partnerIdOf, type Plain } from "./Builder.ts"
import { freshId, freshInstant } from "./Fresh.ts"

/** Fields of the `ApplicationOpened` event that override the defaults. */
export type OpeningFields = Partial<Plain<Omit<ApplicationOpened, "_tag">>>

type Stage = (application: Application) => Effect.Effect<Application>

/** Builds an application ({@link anApplication}). */
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

  /** Builds only the `ApplicationOpened` event. */
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

  /** Builds the initial state of the application, and then its state after each stage. */
  get history(): Effect.Effect<readonly [Application, ...ReadonlyArray<Application>]> {
    return Effect.gen({ self: this }, function*() {
      const first = openApplication(yield* this.opening)
      const rest: Array<Application> = []
      for (const stage of this.#stages) rest.push(yield* stage(rest.at(-1) ?? first))
      return [first, ...rest] as const
    })
  }

  /** The partner of the application, if set. */
  get owner(): Owner | undefined {
    return this.#fields.partner_id
  }

  /** Overrides fields of the `ApplicationOpened` event. */
  with(fields: OpeningFields): ApplicationBuilder {
    return new ApplicationBuilder({ ...this.#fields, ...fields }, this.#customer, this.#stages)
  }

  /** Sets the partner. */
  of(partner: Owner): ApplicationBuilder {
    return this.with({ partner_id: partnerIdOf(partner) })
  }

  /** Sets the metadata. Default: none. */
  withMetadata(metadata: Metadata): ApplicationBuilder {
    return this.with({ metadata })
  }

  /** Sets the customer. */
  for(customer: Plain<Customer> | CustomerBuilder): ApplicationBuilder {
    const { customer: _, ...fields } = this.#fields
    const builder = customer instanceof Builder ? customer : aCustomer(customer)
    return new ApplicationBuilder(fields, builder, this.#stages)
  }

  /** Sets the requested limits of the first quote. */
  wishing(wish: Partial<Plain<QuoteWish>>): ApplicationBuilder {
    return this.with({ wish: { max_installments: null, desired_amount: null, ...wish } })
  }

  /** Answers the pending quote with one offer for each net amount, in centavos. Default: `exampleNetAmounts`. */
  quoted(...nets: ReadonlyArray<Centavos>): ApplicationBuilder {
    return this.#add((before) => answerWithOffers(before, { nets: nets.length === 0 ? exampleNetAmounts : nets }))
  }

  /** Rejects the pending quote. */
  refused(code: RejectionCode): ApplicationBuilder {
    const rejection = rejectionReason(code, "Operação não permitida.")
    return this.#add((before) => answerQuote(before, { kind: "REFUSED", rejection }))
  }

  /** Submits a KYC. Default: a complete KYC of the customer. */
  withKyc(kyc?: KycValues): ApplicationBuilder {
    return this.#add((before) => Effect.succeed(submitExampleKyc(before, kyc === undefined ? {} : { kyc })))
  }

  /** Accepts an offer by its index. Default: the best offer. Requires this offer and a complete KYC. */
  accepted(offer = 0): ApplicationBuilder {
    return this.#add((before) => acceptQuotedOffer(before, { offer }))
  }

  /** Answers the quote, submits a complete KYC and accepts the best offer. */
  contracted(): ApplicationBuilder {
    return this.quoted().withKyc().accepted()
  }

  /** Records a contract status from the lender. Requires an accepted offer. */
  moved(status: LenderContract["status"]): ApplicationBuilder {
    return this.#add((before) => Effect.succeed(recordContractStatus(before, status)))
  }

  #add(stage: Stage): ApplicationBuilder {
    return new ApplicationBuilder(this.#fields, this.#customer, [...this.#stages, stage])
  }
}

/**
 * Builds an application. Default: a new application of a new customer, with a pending quote. Stages apply in the order
 * of the method calls. The build dies with a `TestMistake` if a stage is impossible.
 */
export const anApplication = (fields: OpeningFields = {}): ApplicationBuilder =>
  new ApplicationBuilder(fields, aCustomer(), [])
