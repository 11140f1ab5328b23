import { Option } from "effect"
import { type Customer } from "../../fgts/kyc/Customer.ts"
import {
  type ContractSubmission,
  type DisbursementResubmission,
  type LenderContract
} from "../../fgts/lender/LenderContract.ts"
import { rejectionReason } from "../../fgts/quote/RejectionReason.ts"
import { millisOf, type Timestamp } from "../../time/Timestamp.ts"
import { sandboxDigits, type SandboxScenario, sandboxScenario } from "./SandboxScenario.ts"

/** The state of a sandbox contract. The reference of the contract encodes the whole state. */
interface SandboxContract {
  readonly digits: string
  readonly proposal_id: string
  readonly accepted_ms: number
  readonly attempt: number
  /** The instant at which the current payment attempt was requested, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly payment_ms: number
}

const prefix = "sandbox"
const shape = /^sandbox\.(\d\d)\.([0-9a-f-]{36})\.(\d{1,15})\.(\d{1,9})\.(\d{1,15})$/

const format = ({ accepted_ms, attempt, digits, payment_ms, proposal_id }: SandboxContract): string =>
  [prefix, digits, proposal_id, accepted_ms, attempt, payment_ms].join(".")

const parse = (reference: string): Option.Option<SandboxContract> => {
  const [, digits, proposal_id, accepted, attempt, payment] = shape.exec(reference) ?? []
  return digits === undefined || proposal_id === undefined ? Option.none() : Option.some({
    digits,
    proposal_id,
    accepted_ms: Number(accepted),
    attempt: Number(attempt),
    payment_ms: Number(payment)
  })
}

/**
 * The reference of a sandbox contract encodes the last two digits of the CPF, the id of the proposal, the time of acceptance, the number of
 * the payment attempt, and the time at which that attempt was requested. Equal submissions have equal references.
 * @rule SANDBOX-05
 */
export const sandboxReference = (
  { accepted_at, customer, proposal_id }: Pick<ContractSubmission, "accepted_at" | "proposal_id"> & {
    readonly customer: Pick<Customer, "cpf">
  }
): string => {
  const accepted_ms = millisOf(accepted_at)
  return format({ digits: sandboxDigits(customer.cpf), proposal_id, accepted_ms, attempt: 1, payment_ms: accepted_ms })
}

/**
 * A new payment attempt changes the reference of a sandbox contract. A repeated or earlier attempt does not. Returns none if the reference
 * does not belong to a sandbox contract.
 * @rule SANDBOX-06
 */
export const sandboxPaymentReference = (
  { disbursement_attempt, reference, requested_at }: Pick<
    DisbursementResubmission,
    "disbursement_attempt" | "reference" | "requested_at"
  >
): Option.Option<string> =>
  Option.map(parse(reference), (contract) =>
    disbursement_attempt <= contract.attempt
      ? reference
      : format({ ...contract, attempt: disbursement_attempt, payment_ms: millisOf(requested_at) }))

/**
 * A sandbox contract starts with AWAITING_SIGNATURE. After its acceptance, it moves to the next status of its scenario every `stepMs`
 * milliseconds. A retried payment succeeds after one step. Returns none if the reference does not belong to a sandbox contract.
 * @rule SANDBOX-07
 */
export const sandboxContract = (reference: string, at: Timestamp, stepMs: number): Option.Option<LenderContract> =>
  Option.map(parse(reference), ({ accepted_ms, attempt, digits, payment_ms }) => {
    const scenario = sandboxScenario(digits)
    const status = attempt > 1
      ? stepsSince(payment_ms, at, stepMs) > 0 ? "PAID" : "DISBURSING"
      : scenario.contract[Math.min(stepsSince(accepted_ms, at, stepMs), scenario.contract.length) - 1] ??
        "AWAITING_SIGNATURE"
    return {
      reference,
      status,
      signature_url: status === "AWAITING_SIGNATURE" ? `https://sandbox.invalid/signatures/${reference}` : null,
      rejection: rejectionIn(scenario, status),
      disbursement_attempt: attempt
    }
  })

/** Returns the number of steps since an instant. The number is infinite if `stepMs` is 0. */
const stepsSince = (since_ms: number, at: Timestamp, stepMs: number): number =>
  stepMs > 0 ? Math.max(0, Math.floor((millisOf(at) - since_ms) / stepMs)) : Number.POSITIVE_INFINITY

const rejectionIn = (
  { contract, contract_refusal }: SandboxScenario,
  status: LenderContract["status"]
): LenderContract["rejection"] =>
  contract_refusal !== null && status === contract.at(-1)
    ? rejectionReason(contract_refusal.code, contract_refusal.message)
    : null
