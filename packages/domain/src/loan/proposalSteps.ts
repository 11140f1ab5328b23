import { type LenderContractStatus } from "./LenderContract.ts"
import { type ProposalEvent } from "./LoanEvent.ts"
import { type ProposalStatus } from "./Proposal.ts"

/** The name of an event that can have happened at the lender since its last statement. */
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

/**
 * For each status that the lender can state, the events that must have happened. Absent if the statement is outdated.
 */
type Steps = Partial<Readonly<Record<LenderContractStatus, ReadonlyArray<Step>>>>

/** Puts an event in front of every list. */
const startingWith = (first: Step, paths: Steps): Steps =>
  Object.fromEntries(Object.entries(paths).map(([status, steps]) => [status, [first, ...steps]]))

// Each line below starts from a later status: submission, signature, guarantee, payment, then refund or settlement.

/** Any contract can be cancelled or rejected until it is paid. */
const unpaid: Steps = { CANCELLED: ["ContractCancelled"], REJECTED: ["ContractRejected"] }

/** The lender can reverse a payment, or the contract is repaid in full. */
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
const retriedPayment: Steps = { DISBURSING: ["PaymentRetried"], ...startingWith("PaymentRetried", payment) }

/**
 * If the lender calls a contract cancelled or rejected that was already paid, the contract was reversed: it is
 * REFUNDED.
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
  // Until the cancellation is answered, an earlier status changes nothing. Only a new reference is recorded (FGTS-26).
  CANCELLING: { ...unpaid, ...payment },
  ...afterPayment,
  CANCELLED: {},
  REJECTED: {},
  REFUNDED: {},
  SETTLED: {}
}

/**
 * A contract is signed, then its guarantee is confirmed, then the customer is paid. A payment can fail and be retried.
 * Until the payment, a contract can be cancelled or rejected. A paid contract can be reversed: the customer pays the
 * money back, or the lender or CAIXA takes the payment back. A cancelled or rejected contract that was already paid was
 * reversed. A paid contract that was repaid in full is settled. A contract never returns to an earlier status, except
 * by a retried payment and by a refund that was not paid. Cancelled, rejected, refunded and settled contracts never
 * change.
 *
 * A contract that is IN_ANALYSIS is not signed yet: its proposal stays SUBMITTING. A lender can skip this status.
 *
 * Returns the events that must have happened between the status `from` and the status `to` that the lender states.
 * Returns an empty list if the statement is outdated, or if nothing has happened.
 * @rule PROP-03
 */
export const stepsBetween = (from: ProposalStatus, to: LenderContractStatus): ReadonlyArray<Step> =>
  steps[from][to] ?? []
