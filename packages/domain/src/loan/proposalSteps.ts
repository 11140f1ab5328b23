import { type LenderContract, type LenderContractStatus } from "./LenderContract.ts"
import { type Proposal, type ProposalStatus } from "./Proposal.ts"
import { type ProposalEvent } from "./ProposalEvent.ts"

/** The name of an event that can have happened at the lender since its last answer. */
export type Step = Extract<
  ProposalEvent["_tag"],
  | "ContractCancelled"
  | "ContractRefunded"
  | "ContractRejected"
  | "ContractSettled"
  | "ContractSigned"
  | "CustomerPaid"
  | "GuaranteeConfirmed"
  | "PaymentFailed"
  | "PaymentRetried"
  | "PaymentReversed"
  | "RefundNotPaid"
  | "RefundOffered"
  | "SignatureRequested"
>

/** The events that lead to each status of the lender. A status without an entry is outdated and is ignored. */
type Steps = Partial<Readonly<Record<LenderContractStatus, ReadonlyArray<Step>>>>

/** Puts an event before every list of events. */
const startingWith = (first: Step, paths: Steps): Steps =>
  Object.fromEntries(Object.entries(paths).map(([status, steps]) => [status, [first, ...steps]]))

// Each of the following six constants starts one step earlier in the life of a contract than the constant before it.

/** The lender can reverse a payment, or the customer repays the contract in full. */
const reversal: Steps = {
  REFUND_PENDING: ["RefundOffered"],
  REFUNDED: ["PaymentReversed"],
  SETTLED: ["ContractSettled"]
}
const payment: Steps = { PAID: ["CustomerPaid"], ...startingWith("CustomerPaid", reversal) }
const disbursement: Steps = { DISBURSEMENT_FAILED: ["PaymentFailed"], ...payment }
const guarantee: Steps = { DISBURSING: ["GuaranteeConfirmed"], ...startingWith("GuaranteeConfirmed", disbursement) }
const signature: Steps = { GUARANTEE_PENDING: ["ContractSigned"], ...startingWith("ContractSigned", guarantee) }
const submission: Steps = {
  AWAITING_SIGNATURE: ["SignatureRequested"],
  ...startingWith("SignatureRequested", signature)
}

// The other steps: each is possible in several statuses, or returns to an earlier one.

/** Any contract can be cancelled or rejected until it is paid. */
const unpaid: Steps = { CANCELLED: ["ContractCancelled"], REJECTED: ["ContractRejected"] }

/** A failed payment is tried again. */
const retriedPayment: Steps = { DISBURSING: ["PaymentRetried"], ...startingWith("PaymentRetried", payment) }

/**
 * A paid contract that the lender reports as cancelled or rejected was reversed: it is REFUNDED.
 * @rule FGTS-37
 */
export const afterPayment = {
  PAID: { ...reversal, CANCELLED: ["PaymentReversed"], REJECTED: ["PaymentReversed"] },
  REFUND_PENDING: {
    PAID: ["RefundNotPaid"],
    SETTLED: ["RefundNotPaid", "ContractSettled"],
    REFUNDED: ["ContractRefunded"],
    CANCELLED: ["ContractRefunded"],
    REJECTED: ["ContractRefunded"]
  }
} as const satisfies Readonly<Record<string, Steps>>

const steps: Readonly<Record<ProposalStatus, Steps>> = {
  SUBMITTING: { ...unpaid, ...submission },
  CORRECTION_NEEDED: { ...unpaid, ...submission },
  AWAITING_SIGNATURE: { ...unpaid, ...signature },
  GUARANTEE_PENDING: { ...unpaid, ...guarantee },
  DISBURSING: { ...unpaid, ...disbursement },
  DISBURSEMENT_FAILED: { ...unpaid, ...retriedPayment },
  // Until the lender answers the cancellation, a status before PAID changes nothing. Only a new reference is recorded
  // (FGTS-26).
  CANCELLING: { ...unpaid, ...payment },
  ...afterPayment,
  CANCELLED: {},
  REJECTED: {},
  REFUNDED: {},
  SETTLED: {}
}

/**
 * A contract is signed, then its guarantee is confirmed, then the customer is paid.
 *
 * - Until the payment, a contract can be cancelled or rejected.
 * - A payment can fail and be retried.
 * - A paid contract can be reversed: the customer pays the money back, or the lender or CAIXA takes the payment back.
 * - A paid contract that was repaid in full is settled.
 * - At the lender, a contract returns to an earlier status only by a retried payment, or by a refund that was not paid.
 * - Cancelled, rejected, refunded and settled contracts never change.
 * - While a contract is IN_ANALYSIS, its proposal stays SUBMITTING. A lender can skip this status.
 *
 * Returns the events that must have happened between the status `from` and the status `to` that the lender returns.
 * Empty if `to` is outdated, or if nothing has happened.
 * @rule PROP-03
 */
export const stepsBetween = (from: ProposalStatus, to: LenderContractStatus): ReadonlyArray<Step> =>
  steps[from][to] ?? []

/**
 * If the lender reports a recorded payment as failed, it stays recorded, and the operator is told. The customer may not
 * have the money.
 * @rule FGTS-79
 */
export const deniesPayment = (
  proposal: Proposal,
  { disbursement_attempt, status }: Pick<LenderContract, "disbursement_attempt" | "status">
): boolean =>
  proposal.status === "PAID" && status === "DISBURSEMENT_FAILED" &&
  disbursement_attempt >= proposal.disbursement_attempt
