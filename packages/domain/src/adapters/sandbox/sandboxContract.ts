import { Option } from "effect"
import { type ContractPayment, type ContractRefund } from "../../loan/ContractFacts.ts"
import {
  type DisbursementResubmission,
  type LenderContract,
  type LenderContractStatus
} from "../../loan/LenderContract.ts"
import { rejectionReason } from "../../offer/RejectionReason.ts"
import { millisOf, type Timestamp, timestampOf } from "../../values/Timestamp.ts"
import { brCode } from "./brCode.ts"
import { formatReference, parseReference, type SandboxContract } from "./sandboxReference.ts"
import { type SandboxScenario, sandboxScenario } from "./sandboxScenarios.ts"

/**
 * A new payment attempt changes the reference of a sandbox contract. A repeated or earlier attempt does not change it.
 * Returns none for any other reference.
 * @rule SANDBOX-06
 */
export const sandboxPaymentReference = (
  { disbursement_attempt, reference, requested_at }: Pick<
    DisbursementResubmission,
    "disbursement_attempt" | "reference" | "requested_at"
  >
): Option.Option<string> =>
  Option.map(parseReference(reference), (contract) =>
    disbursement_attempt <= contract.attempt
      ? reference
      : formatReference({ ...contract, attempt: disbursement_attempt, payment_ms: millisOf(requested_at) }))

/** Returns the number of steps since a time. Infinite if `stepMs` is 0. */
const stepsSince = (since_ms: number, at_ms: number, stepMs: number): number =>
  stepMs > 0 ? Math.max(0, Math.floor((at_ms - since_ms) / stepMs)) : Number.POSITIVE_INFINITY

/** Returns the status of a contract without a cancellation or a refund. */
const courseStatus = (
  { accepted_ms, attempt, digits, payment_ms }: SandboxContract,
  at_ms: number,
  stepMs: number
): LenderContractStatus => {
  if (attempt > 1) return stepsSince(payment_ms, at_ms, stepMs) > 0 ? "PAID" : "DISBURSING"
  const course = courseOf(sandboxScenario(digits))
  return course[Math.min(stepsSince(accepted_ms, at_ms, stepMs), course.length - 1)] ?? "AWAITING_SIGNATURE"
}

/** Returns the statuses of a contract, one for each step since its acceptance. */
const courseOf = ({ contract, is_analysed }: SandboxScenario): ReadonlyArray<LenderContractStatus> => [
  ...(is_analysed ? ["IN_ANALYSIS"] as const : []),
  "AWAITING_SIGNATURE",
  ...contract
]

/** Returns the status of a contract at a time, from its cancellation or refund. Without one, from its scenario. */
export const statusAt = (contract: SandboxContract, at_ms: number, stepMs: number): LenderContractStatus => {
  const { digits, exit } = contract
  const scenario = sandboxScenario(digits)
  switch (exit?.kind) {
    case "cancel":
      return scenario.pays_on_cancel ? "PAID" : "CANCELLED"
    case "refund":
      if (stepsSince(exit.at_ms, at_ms, stepMs) === 0) return "REFUND_PENDING"
      return scenario.pays_refund ? "REFUNDED" : "PAID"
    default:
      return courseStatus(contract, at_ms, stepMs)
  }
}

/** Returns the time at which a contract was paid. */
const paidMsOf = ({ accepted_ms, attempt, digits, exit, payment_ms }: SandboxContract, stepMs: number): number => {
  // In the scenario that pays despite a cancellation, the request for the cancellation causes the payment.
  if (exit?.kind === "cancel") return exit.at_ms
  if (attempt > 1) return payment_ms + stepMs
  return accepted_ms + paidStepOf(sandboxScenario(digits)) * stepMs
}

/** Returns the step at which a contract is paid. In the scenario of a settled contract, the step before SETTLED. */
const paidStepOf = (scenario: SandboxScenario): number => {
  const course = courseOf(scenario)
  return course.includes("PAID") ? course.indexOf("PAID") : course.indexOf("SETTLED") - 1
}

/** Returns the time at which a contract was settled. */
const settledMsOf = ({ accepted_ms, digits }: SandboxContract, stepMs: number): number =>
  accepted_ms + courseOf(sandboxScenario(digits)).indexOf("SETTLED") * stepMs

const isPaid = (status: LenderContractStatus): boolean =>
  status === "PAID" || status === "REFUND_PENDING" || status === "REFUNDED" || status === "SETTLED"

const plain = (text: string): string => text.replaceAll(/[^0-9a-zA-Z]/g, "")

const paymentOf = (contract: SandboxContract, stepMs: number): ContractPayment | null => {
  const { net_amount, proposal_id } = contract
  if (net_amount === null) return null
  const at = timestampOf(paidMsOf(contract, stepMs))
  const end_to_end_id = `E00000000${plain(at).slice(0, 8)}${plain(at).slice(9, 13)}${plain(proposal_id).slice(-11)}`
  return { amount: net_amount, at, end_to_end_id }
}

/** The time for the customer's payment of a refund, in milliseconds: 7 days. */
const refundMs = 7 * 86_400_000

const refundOf = ({ digits, exit, net_amount, proposal_id }: SandboxContract, stepMs: number): ContractRefund | null =>
  exit === null || net_amount === null ? null : {
    amount: net_amount,
    pix_copy_paste: brCode({
      key: proposal_id,
      amount: net_amount,
      name: "LASTRO SANDBOX",
      city: "SAO PAULO",
      txid: plain(proposal_id).slice(-25)
    }),
    expires_at: timestampOf(exit.at_ms + (sandboxScenario(digits).pays_refund ? refundMs : stepMs))
  }

/** The default signature page. The host does not exist (RFC 2606 §2). */
const defaultSignaturePage = "https://sandbox.invalid/signature"

/**
 * A sandbox contract starts with AWAITING_SIGNATURE, or in one scenario with IN_ANALYSIS. It moves to the next status
 * of its scenario every `stepMs` milliseconds after its acceptance. A retried payment succeeds after one step. Returns
 * none for any other reference.
 * @rule SANDBOX-07
 */
export const sandboxContract = (
  reference: string,
  at: Timestamp,
  stepMs: number,
  signaturePage: string = defaultSignaturePage
): Option.Option<LenderContract> =>
  Option.map(parseReference(reference), (contract) => {
    const status = statusAt(contract, millisOf(at), stepMs)
    const paid = isPaid(status) ? paymentOf(contract, stepMs) : null
    const refund = status === "REFUND_PENDING" ? refundOf(contract, stepMs) : null
    return {
      reference,
      status,
      signature_url: status === "AWAITING_SIGNATURE" ? `${signaturePage}?reference=${reference}` : null,
      rejection: rejectionIn(contract, status),
      disbursement_attempt: contract.attempt,
      ...(paid === null ? {} : { paid }),
      ...(refund === null ? {} : { refund }),
      ...(status === "SETTLED" ? { settled_at: timestampOf(settledMsOf(contract, stepMs)) } : {})
    }
  })

const rejectionIn = ({ digits, exit }: SandboxContract, status: LenderContractStatus): LenderContract["rejection"] => {
  if (exit?.kind === "cancel") {
    return status === "CANCELLED" ? rejectionReason("CUSTOMER_CANCELLED", "Contrato cancelado a pedido.") : null
  }
  if (exit?.kind === "refund") return null
  const { contract, contract_refusal }: SandboxScenario = sandboxScenario(digits)
  return contract_refusal !== null && status === contract.at(-1)
    ? rejectionReason(contract_refusal.code, contract_refusal.message)
    : null
}
