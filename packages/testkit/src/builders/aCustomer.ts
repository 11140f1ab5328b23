import { sandboxCpf } from "@lastro/domain/adapters"
import { Customer } from "@lastro/domain/kyc"
import { calendarDate, type Cpf } from "@lastro/domain/values"
import { Effect } from "effect"
import { TestMistake } from "../mistake/TestMistake.ts"
import { Builder, checkRecord, type Plain } from "./Builder.ts"
import { freshCpf } from "./Fresh.ts"

/** Fields of a customer that override the defaults. */
export type CustomerFields = Partial<Plain<Customer>>

/** Generates a CPF for this outcome of the sandbox lender. Each outcome has a million such CPFs. */
const cpfWith = (outcome: SandboxOutcome): Effect.Effect<Cpf> =>
  Effect.map(freshCpf, (cpf) => sandboxCpf(sandboxOutcomes[outcome], Number(cpf.slice(3, 9))))

const checkCustomer = checkRecord("aCustomer", Customer)

/** Builds a customer ({@link aCustomer}). */
export class CustomerBuilder extends Builder<Customer> {
  readonly #fields: CustomerFields
  readonly #cpf: Effect.Effect<Cpf>

  constructor(fields: CustomerFields, cpf: Effect.Effect<Cpf> = freshCpf) {
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

  /** Returns a copy with these fields. */
  with(fields: CustomerFields): CustomerBuilder {
    return new CustomerBuilder({ ...this.#fields, ...fields }, this.#cpf)
  }

  /** Returns a copy with this name. */
  named(name: string): CustomerBuilder {
    return this.with({ name })
  }

  /** Returns a copy with this birth date, `YYYY-MM-DD`. */
  bornOn(birth_date: string): CustomerBuilder {
    return this.with({ birth_date: calendarDate(birth_date) })
  }

  /** Returns a copy with a CPF for this outcome of the sandbox lender. */
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

/**
 * The outcomes of the sandbox lender, each with the last two digits of its CPFs. An outcome without a comment rejects
 * every quote with the rejection code of the same name.
 */
export const sandboxOutcomes = {
  /** The quote has three offers, and the contract is paid. */
  PAID: "00",
  /** The lender analyses the contract before the customer can sign it. The contract is then paid. */
  IN_ANALYSIS: "68",
  /** The contract is settled within seconds of its payment. */
  SETTLED: "69",
  /** For 2 s, the lender answers the quote request with PENDING. */
  PENDING: "70",
  /** For 2 s after the quote request, the lender throttles calls. */
  THROTTLED: "71",
  /** The lender refuses the submission until the house number is `S/N`. */
  SUBMISSION_INVALID: "72",
  /** The lender reverses the contract one step after its payment. */
  REVERSED: "73",
  /** The customer does not pay a refund in time. */
  REFUND_EXPIRED: "74",
  /** A requested cancellation comes too late: the contract is already paid. */
  PAID_ON_CANCEL: "75",
  /** The contracts of all customers with this outcome have the same reference. */
  DUPLICATE_CONTRACT: "76",
  /** For 60 s, or until a callback, the lender answers the quote request with PENDING. */
  AWAITING_CALLBACK: "77",
  /** One of the three fee tables cannot be priced. */
  TABLE_UNPRICED: "78",
  /** Offers have two instalments only. */
  SMALL_BALANCE: "79",
  /** The contract is rejected after acceptance. */
  KYC_REJECTED: "80",
  BIRTH_DATE_MISMATCH: "81",
  /** Every quote is rejected. The customer can retry in 90 days. */
  OPT_IN_WAITING_PERIOD: "82",
  EXISTING_CONTRACT: "83",
  /** Every quote is rejected, because the balance is too small for a single instalment. */
  BELOW_MINIMUM_INSTALLMENT: "84",
  /** Offers expire 2 s after the quote request. */
  OFFERS_EXPIRE: "85",
  /** The contract is rejected after acceptance. */
  LENDER_POLICY: "86",
  /** The contract is cancelled because the customer does not sign it. */
  SIGNATURE_EXPIRED: "87",
  /** The first payment fails. A payment to another account succeeds. */
  DISBURSEMENT_FAILED: "88",
  NO_BALANCE: "89",
  /** The first quote is rejected, and the second quote succeeds. */
  OPERATION_IN_PROGRESS: "90",
  /** The first quote is rejected. The second quote succeeds, because the customer has given authorization by then. */
  NO_AUTHORIZATION: "91",
  NOT_OPTED_IN: "92",
  /** The first quote is rejected. A quote after 3 s succeeds. */
  BIRTHDAY_WINDOW: "93",
  OPT_OUT_IN_PROGRESS: "94",
  /** The first quote is rejected, and the second quote succeeds. */
  ACCOUNT_CHANGES_PENDING: "95",
  /** The lender never answers. */
  UPSTREAM_UNAVAILABLE: "96",
  /** The first two requests fail, the third succeeds. */
  UPSTREAM_RECOVERS: "97",
  /** The lender answers after 5 s. */
  ANSWERS_LATE: "98"
} as const

/** The name of an outcome of the sandbox lender. */
export type SandboxOutcome = keyof typeof sandboxOutcomes
