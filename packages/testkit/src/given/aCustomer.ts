import { calendarDate, type Cpf, type Customer, sandboxCpf, sandboxDigits, sandboxScenarios } from "@lastro/domain"
import { Effect } from "effect"
import { Builder, type Plain } from "./Builder.ts"
import { freshCpf } from "./Fresh.ts"
import { type SandboxOutcome, sandboxOutcomes } from "./sandboxOutcomes.ts"
import { TestMistake } from "./TestMistake.ts"

/** What a customer can be given. */
export type CustomerFields = Partial<Plain<Customer>>

/** A fresh CPF that the sandbox lender does nothing unusual with. */
const usualCpf: Effect.Effect<Cpf> = Effect.flatMap(
  freshCpf,
  (cpf) => sandboxScenarios.has(sandboxDigits(cpf)) ? usualCpf : Effect.succeed(cpf)
)

/** A CPF of which the sandbox lender makes this, a fresh one of the million that there are of each kind. */
const cpfWith = (outcome: SandboxOutcome): Effect.Effect<Cpf> =>
  Effect.map(freshCpf, (cpf) => sandboxCpf(sandboxOutcomes[outcome], Number(cpf.slice(3, 9))))

/** Describes a customer: see {@link aCustomer}. */
export class CustomerBuilder extends Builder<Customer> {
  readonly #fields: CustomerFields
  readonly #cpf: Effect.Effect<Cpf>

  constructor(fields: CustomerFields, cpf: Effect.Effect<Cpf> = usualCpf) {
    super()
    this.#fields = fields
    this.#cpf = cpf
  }

  asEffect(): Effect.Effect<Customer> {
    return Effect.map(this.#cpf, (cpf) => ({
      cpf,
      birth_date: calendarDate("1990-05-17"),
      name: "Ana Exemplo",
      email: null,
      phone: null,
      ...this.#fields
    } as Customer))
  }

  /** The same customer but for these fields. */
  with(fields: CustomerFields): CustomerBuilder {
    return new CustomerBuilder({ ...this.#fields, ...fields }, this.#cpf)
  }

  /** Under this name. */
  named(name: string): CustomerBuilder {
    return this.with({ name })
  }

  /** Born on this day, `YYYY-MM-DD`. */
  bornOn(birth_date: string): CustomerBuilder {
    return this.with({ birth_date: calendarDate(birth_date) })
  }

  /** With a CPF of which the sandbox lender makes this. */
  withSandboxOutcome(outcome: SandboxOutcome): CustomerBuilder {
    if (!Object.hasOwn(sandboxOutcomes, outcome)) {
      throw new TestMistake(
        `the sandbox lender knows no such outcome; it knows ${Object.keys(sandboxOutcomes).join(", ")}`
      )
    }
    const { cpf: _, ...fields } = this.#fields
    return new CustomerBuilder(fields, cpfWith(outcome))
  }
}

/**
 * A customer born in May with a fresh CPF, whom the sandbox lender has offers for; the fields given replace the example's.
 */
export const aCustomer = (fields: CustomerFields = {}): CustomerBuilder => new CustomerBuilder(fields)
