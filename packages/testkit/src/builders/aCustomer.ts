import { sandboxCpf, sandboxDigits, sandboxScenarios } from "@lastro/domain/adapters"
import { Customer } from "@lastro/domain/kyc"
import { calendarDate, type Cpf } from "@lastro/domain/values"
import { Effect } from "effect"
import { TestMistake } from "../mistake/TestMistake.ts"
import { Builder, type Plain } from "./Builder.ts"
import { checkRecord } from "./checkRecord.ts"
import { freshCpf } from "./Fresh.ts"
import { type SandboxOutcome, sandboxOutcomes } from "./sandboxOutcomes.ts"

/** Fields of a customer that override the defaults. */
export type CustomerFields = Partial<Plain<Customer>>

/** Generates a CPF that selects no special outcome of the sandbox lender. */
const usualCpf: Effect.Effect<Cpf> = Effect.flatMap(
  freshCpf,
  (cpf) => sandboxScenarios.has(sandboxDigits(cpf)) ? usualCpf : Effect.succeed(cpf)
)

/** Generates a CPF that selects this outcome of the sandbox lender. Each outcome has a million such CPFs. */
const cpfWith = (outcome: SandboxOutcome): Effect.Effect<Cpf> =>
  Effect.map(freshCpf, (cpf) => sandboxCpf(sandboxOutcomes[outcome], Number(cpf.slice(3, 9))))

const checkCustomer = checkRecord("aCustomer", Customer)

/** Builds a customer: see {@link aCustomer}. */
export class CustomerBuilder extends Builder<Customer> {
  readonly #fields: CustomerFields
  readonly #cpf: Effect.Effect<Cpf>

  constructor(fields: CustomerFields, cpf: Effect.Effect<Cpf> = usualCpf) {
    super()
    this.#fields = fields
    this.#cpf = cpf
  }

  asEffect(): Effect.Effect<Customer> {
    return Effect.flatMap(this.#cpf, (cpf) =>
      checkCustomer({
        cpf,
        birth_date: calendarDate("1990-05-17"),
        name: "Ana Exemplo",
        email: null,
        phone: null,
        ...this.#fields
      } as Customer))
  }

  /** Overrides fields. */
  with(fields: CustomerFields): CustomerBuilder {
    return new CustomerBuilder({ ...this.#fields, ...fields }, this.#cpf)
  }

  /** Sets the name. */
  named(name: string): CustomerBuilder {
    return this.with({ name })
  }

  /** Sets the birth date, `YYYY-MM-DD`. */
  bornOn(birth_date: string): CustomerBuilder {
    return this.with({ birth_date: calendarDate(birth_date) })
  }

  /** Sets a CPF that selects this outcome of the sandbox lender. */
  withSandboxOutcome(outcome: SandboxOutcome): CustomerBuilder {
    if (!Object.hasOwn(sandboxOutcomes, outcome)) {
      throw new TestMistake(
        `Unknown outcome of the sandbox lender. Use one of ${Object.keys(sandboxOutcomes).join(", ")}.`
      )
    }
    const { cpf: _, ...fields } = this.#fields
    return new CustomerBuilder(fields, cpfWith(outcome))
  }
}

/** Builds a customer. Default: born in May, with a new CPF for which the sandbox lender makes offers. */
export const aCustomer = (fields: CustomerFields = {}): CustomerBuilder => new CustomerBuilder(fields)
