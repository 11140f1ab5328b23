import { Schema } from "effect"
import { type Disbursement } from "../kyc/Disbursement.ts"
import { type PricedOffer } from "../offer/PricedOffer.ts"
import { type LenderName } from "../offer/QuotePart.ts"
import { type RejectionReason } from "../offer/RejectionReason.ts"
import { type Cpf } from "../values/Cpf.ts"
import { type OfferId, type ProposalId } from "../values/ids.ts"
import { millisOf, type Timestamp } from "../values/Timestamp.ts"
import {
  type CancellationReason,
  type ContractPayment,
  type ContractRefund,
  type FrozenCommission,
  type RequiredAction,
  type SubmissionOrigin,
  type WithdrawalReason
} from "./ContractFacts.ts"
import { type ProposalNumber } from "./ProposalNumber.ts"

/** The status of a proposal and of its contract at the lender. */
export const ProposalStatus = Schema.Literals([
  "SUBMITTING",
  "CORRECTION_NEEDED",
  "AWAITING_SIGNATURE",
  "GUARANTEE_PENDING",
  "DISBURSING",
  "DISBURSEMENT_FAILED",
  "PAID",
  "CANCELLING",
  "CANCELLED",
  "REJECTED",
  "REFUND_PENDING",
  "REFUNDED",
  "SETTLED"
]).annotate({
  identifier: "ProposalStatus",
  description: "Proposal status. The usual order is `SUBMITTING`, `AWAITING_SIGNATURE`, `GUARANTEE_PENDING`, " +
    "`DISBURSING`, `PAID`. `CORRECTION_NEEDED`: the lender refuses the KYC data until it is corrected, for at most seven days. A failed disbursement " +
    "is `DISBURSEMENT_FAILED` until it is retried. Before `PAID` a proposal can become `CANCELLED` (by the caller, the " +
    "customer, the lender or expiry) or `REJECTED` (by the lender). `CANCELLING`: the lender has not confirmed the " +
    "cancellation. `REFUND_PENDING`: the customer withdrew from a paid contract, or the lender reverses it, and the " +
    "customer has to pay the money back. `REFUNDED`: the paid contract was reversed. " +
    "`SETTLED`: the paid contract was repaid in full."
})
export type ProposalStatus = typeof ProposalStatus.Type

/** A change of status: new status, time and optional reason. */
export interface StatusChange {
  readonly status: ProposalStatus
  readonly at: Timestamp
  readonly reason: string | null
}

/** Evidence of the customer's acceptance, as sent by the API consumer. */
export interface Acceptance {
  readonly accepted_at: Timestamp
  readonly ip: string | null
  readonly user_agent: string | null
}

/** A request of the caller to cancel a contract. */
export interface Cancellation {
  readonly reason: CancellationReason
  readonly requested_at: Timestamp
}

/** The customer's withdrawal from a paid contract. */
export interface Withdrawal {
  readonly reason: WithdrawalReason
  readonly requested_at: Timestamp
  /** True once the lender has accepted the request for the refund. */
  readonly is_confirmed: boolean
}

/** The contract that the lender has created for a proposal. */
export interface ContractAtLender {
  /** The lender's reference for the contract. */
  readonly reference: string
  /** The lender's final terms. Null if they are those of the offer. */
  readonly terms: PricedOffer | null
  /** The action that the lender requires before it continues. Null if it requires none. */
  readonly required_action: RequiredAction | null
}

/** The fields of a proposal in every status. */
export interface ProposalFacts {
  readonly proposal_id: ProposalId
  readonly number: ProposalNumber
  readonly offer_id: OfferId
  /** The principal that accepted the offer. */
  readonly created_by: string
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
  readonly acceptance: Acceptance
  /** The seller. Null for a proposal accepted before Lastro recorded sellers. */
  readonly origin: SubmissionOrigin | null
  /** The commission, frozen at the acceptance. Null if nobody earns one. Callers never see it. */
  readonly commission: FrozenCommission | null
  /** The lender of the contract. Null in an installation that was composed with one `Lender`. */
  readonly lender: LenderName | null
  readonly customer: { readonly name: string; readonly cpf: Cpf }
  /** All statuses, oldest first. */
  readonly status_history: ReadonlyArray<StatusChange>
  /**
   * The start of the submission of the current data, recorded before the lender is called. Null if the lender provably
   * has not received this data.
   */
  readonly submitted_at: Timestamp | null
  /** Number of invisible events (PROP-16). The visible version does not count them. */
  readonly invisible_events: number
  readonly disbursement: Disbursement
  /**
   * Number of the current payment attempt. It starts at 1 and increases with each correction of the disbursement data.
   */
  readonly disbursement_attempt: number
}

/** The offer is accepted, and the contract is being submitted to the lender. */
export interface Submitting {
  readonly status: "SUBMITTING"
  /** Null until the lender has confirmed the contract. Otherwise, the contract is IN_ANALYSIS at the lender. */
  readonly contract: ContractAtLender | null
  /**
   * The reference of a contract that the lender wrongly returned, because it belongs to another proposal (FGTS-27).
   * Otherwise null.
   */
  readonly conflicting_reference: string | null
}

/** The lender refuses the submitted data. The caller must correct it. */
export interface CorrectionNeeded {
  readonly status: "CORRECTION_NEEDED"
  /** The KYC fields that must be submitted again. Empty if the lender names no required field. */
  readonly refused_fields: ReadonlyArray<string>
}

/** The customer has to sign the contract. */
export interface AwaitingSignature {
  readonly status: "AWAITING_SIGNATURE"
  readonly contract: ContractAtLender
  /** The link at which the customer signs. Null until the lender has returned one. */
  readonly signature_url: string | null
  /** The time of the unanswered request for a new link. Null without one. */
  readonly link_requested_at: Timestamp | null
}

/** The customer has signed. CAIXA must reserve the annual withdrawals as a guarantee. */
export interface GuaranteePending {
  readonly status: "GUARANTEE_PENDING"
  readonly contract: ContractAtLender
}

/** The guarantee is confirmed, and the lender pays the customer. */
export interface Disbursing {
  readonly status: "DISBURSING"
  readonly contract: ContractAtLender
}

/** The payment failed. The disbursement data must be corrected, or the lender retries the payment. */
export interface DisbursementFailed {
  readonly status: "DISBURSEMENT_FAILED"
  readonly contract: ContractAtLender
  readonly rejection: RejectionReason
}

/** The customer has received the money. */
export interface Paid {
  readonly status: "PAID"
  readonly contract: ContractAtLender
  /** Null if the lender has not stated the payment. */
  readonly paid: ContractPayment | null
}

/** A status in which a cancellation can be requested from the lender. */
export type Cancellable = Submitting | AwaitingSignature | GuaranteePending | Disbursing | DisbursementFailed

/** A cancellation was requested, and the lender has not confirmed it. */
export interface Cancelling {
  readonly status: "CANCELLING"
  /** Null if the lender's answer to the submission is missing. */
  readonly contract: ContractAtLender | null
  readonly cancellation: Cancellation
  /** The state to which the proposal returns if the lender refuses the cancellation. */
  readonly before: Cancellable
}

/** The proposal ended before a payment: the caller, the customer or the lender cancelled it, or it expired. */
export interface Cancelled {
  readonly status: "CANCELLED"
  /** Null if the lender never confirmed a contract. */
  readonly contract: ContractAtLender | null
  /** The caller's cancellation. Null if no caller cancelled it. */
  readonly cancellation: Cancellation | null
  readonly rejection: RejectionReason
}

/** The lender rejected the contract. */
export interface Rejected {
  readonly status: "REJECTED"
  readonly contract: ContractAtLender
  readonly rejection: RejectionReason
}

/** The paid contract is being reversed: the customer has to pay the money back. */
export interface RefundPending {
  readonly status: "REFUND_PENDING"
  readonly contract: ContractAtLender
  readonly paid: ContractPayment | null
  /** Null if the lender started the reversal. */
  readonly withdrawal: Withdrawal | null
  /** The payment that the customer has to make. Null until the lender has stated it. */
  readonly refund: ContractRefund | null
}

/** The paid contract was reversed. */
export interface Refunded {
  readonly status: "REFUNDED"
  readonly contract: ContractAtLender
  readonly paid: ContractPayment | null
  /** Null if the lender reversed the contract on its own. */
  readonly withdrawal: Withdrawal | null
  readonly rejection: RejectionReason
}

/** The paid contract was repaid in full. */
export interface Settled {
  readonly status: "SETTLED"
  readonly contract: ContractAtLender
  readonly paid: ContractPayment | null
  /** The time of the settlement: as the lender stated it, or when it was recorded. */
  readonly settled_at: Timestamp
}

/** The status of a proposal, with the fields that exist in this status. */
export type ProposalState =
  | Submitting
  | CorrectionNeeded
  | AwaitingSignature
  | GuaranteePending
  | Disbursing
  | DisbursementFailed
  | Paid
  | Cancelling
  | Cancelled
  | Rejected
  | RefundPending
  | Refunded
  | Settled

/** A proposal in the status `S`: the loan contract that results from an accepted offer. */
export type ProposalIn<S extends ProposalState> = S extends ProposalState ? ProposalFacts & S : never

/** A proposal: the loan contract that results from an accepted offer. It has exactly the fields of its status. */
export type Proposal = ProposalIn<ProposalState>

/**
 * CANCELLED, REJECTED, REFUNDED and SETTLED are final. PAID is not: a paid contract can be refunded, reversed or
 * settled.
 * @rule PROP-01
 */
export const isFinal = ({ status }: { readonly status: ProposalStatus | "IN_ANALYSIS" }): boolean =>
  status === "CANCELLED" || status === "REJECTED" || status === "REFUNDED" || status === "SETTLED"

/**
 * While a proposal is PAID or final, nobody has to act on it.
 * @rule PROP-06
 */
export const isPaidOrFinal = (proposal: { readonly status: ProposalStatus }): boolean =>
  proposal.status === "PAID" || isFinal(proposal)

/** A request of a caller that the lender has not answered yet. Two requests of the same kind differ in their time. */
export interface OpenRequest {
  readonly kind: "cancel" | "refund" | "signature_link"
  readonly requested_at: Timestamp
}

/**
 * Returns the requested cancellation, refund or signature link that the lender has not answered yet. Null if there is
 * none.
 */
export const openRequestOf = (proposal: Proposal): OpenRequest | null => {
  switch (proposal.status) {
    case "CANCELLING":
      return { kind: "cancel", requested_at: proposal.cancellation.requested_at }
    case "REFUND_PENDING":
      return proposal.withdrawal?.is_confirmed === false
        ? { kind: "refund", requested_at: proposal.withdrawal.requested_at }
        : null
    case "AWAITING_SIGNATURE":
      return proposal.link_requested_at === null
        ? null
        : { kind: "signature_link", requested_at: proposal.link_requested_at }
    default:
      return null
  }
}

/** Returns the contract at the lender. Null if the lender has not confirmed one. */
export const contractOf = (proposal: ProposalState): ContractAtLender | null =>
  proposal.status === "CORRECTION_NEEDED" ? null : proposal.contract

/** Returns the lender's reference for the contract. Null until the lender has confirmed the contract. */
export const referenceOf = (proposal: ProposalState): string | null => contractOf(proposal)?.reference ?? null

/**
 * Returns the reason for a cancellation, a rejection, a failed payment or a refund. While a cancellation is open, the
 * reason of the failed payment before it. Null in any other status.
 */
export const rejectionOf = (proposal: ProposalState): RejectionReason | null => {
  if ("rejection" in proposal) return proposal.rejection
  return proposal.status === "CANCELLING" ? rejectionOf(proposal.before) : null
}

/** Returns the payment to the customer. Null if there is none, or if the lender has not stated it. */
export const paymentOf = (proposal: ProposalState): ContractPayment | null => "paid" in proposal ? proposal.paid : null

/** Tolerated difference between the lender's clock and that of this node, in milliseconds: 1 day. */
const lenderClockToleranceMs = 86_400_000

/**
 * A contract was paid at the time that the lender states. If the lender states none, or one before 2000 or more than a day
 * after the answer, it was paid when Lastro recorded the first status PAID. A reversal or a settlement does not change
 * this time. Null without a payment.
 *
 * Programs send a time before 2000, such as 1970-01-01, for a missing one.
 * @rule PROP-20
 */
export const paidAt = (proposal: Proposal): Timestamp | null => {
  const stated = paymentOf(proposal)?.at ?? null
  const recorded = proposal.status_history.find(({ status }) => status === "PAID")?.at ?? null
  if (stated === null || recorded === null) return stated ?? recorded
  return stated >= "2000" && millisOf(stated) <= millisOf(recorded) + lenderClockToleranceMs ? stated : recorded
}

/** Returns the time at which the contract was settled. Null in any status but SETTLED. */
export const settledAt = (proposal: ProposalState): Timestamp | null =>
  proposal.status === "SETTLED" ? proposal.settled_at : null

/** Returns the time of the last change of status. */
export const statusSince = ({ created_at, status_history }: ProposalFacts): Timestamp =>
  status_history.at(-1)?.at ?? created_at
