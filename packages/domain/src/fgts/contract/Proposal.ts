import { Schema } from "effect"
import { type Cpf } from "../../documents/Cpf.ts"
import { type OfferId, type ProposalId } from "../../id/ids.ts"
import { type Timestamp } from "../../time/Timestamp.ts"
import { type Disbursement } from "../kyc/Disbursement.ts"
import { type RejectionReason } from "../quote/RejectionReason.ts"
import { type ProposalNumber } from "./ProposalNumber.ts"

const usualOrder: ReadonlyArray<ProposalStatus> = [
  "SUBMITTING",
  "AWAITING_SIGNATURE",
  "GUARANTEE_PENDING",
  "DISBURSING",
  "PAID"
]

/**
 * A proposal moves through SUBMITTING, AWAITING_SIGNATURE, GUARANTEE_PENDING, DISBURSING and PAID in this order. DISBURSING can fail
 * (DISBURSEMENT_FAILED) and be retried. Any status before PAID can change to CANCELLED or REJECTED. Except for a retried payment, a
 * proposal never returns to an earlier status. Final statuses never change.
 *
 * Returns the statuses after `from`, up to and including `to`. Returns an empty list if there is no path.
 * @rule PROP-03
 */
export const proposalPath = (from: ProposalStatus, to: ProposalStatus): ReadonlyArray<ProposalStatus> => {
  if (isFinal({ status: from }) || from === to) return []
  if (to === "CANCELLED" || to === "REJECTED") return [to]
  if (to === "DISBURSEMENT_FAILED") return [...ahead(from, "DISBURSING"), to]
  if (from === "DISBURSEMENT_FAILED") return to === "DISBURSING" ? [to] : to === "PAID" ? ["DISBURSING", to] : []
  return ahead(from, to)
}

const ahead = (from: ProposalStatus, to: ProposalStatus): ReadonlyArray<ProposalStatus> =>
  usualOrder.slice(usualOrder.indexOf(from) + 1, usualOrder.indexOf(to) + 1)

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
  "REFUNDED"
]).annotate({
  identifier: "ProposalStatus",
  description: "Proposal status. The usual order is `SUBMITTING`, `AWAITING_SIGNATURE`, `GUARANTEE_PENDING`, " +
    "`DISBURSING`, `PAID`. `CORRECTION_NEEDED`: the lender refuses the KYC data until it is corrected. A failed disbursement " +
    "is `DISBURSEMENT_FAILED` until it is retried. Before `PAID` a proposal can become `CANCELLED` (by the customer or by " +
    "expiry) or `REJECTED` (by the lender). `CANCELLING`: the lender has not confirmed the cancellation. `REFUND_PENDING`: " +
    "the customer withdrew from a paid contract and has to pay the money back. `REFUNDED`: the paid contract was reversed."
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

/** A stored proposal: the loan contract that results from an accepted offer. */
export interface Proposal {
  readonly proposal_id: ProposalId
  readonly number: ProposalNumber
  readonly offer_id: OfferId
  /** The principal that accepted the offer. */
  readonly created_by: string
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
  readonly acceptance: Acceptance
  readonly customer: { readonly name: string; readonly cpf: Cpf }
  readonly status: ProposalStatus
  /** All statuses, oldest first. */
  readonly status_history: ReadonlyArray<StatusChange>
  /** The lender's reference for the contract; null until the lender has confirmed the contract. */
  readonly reference: string | null
  /** The link at which the customer signs. */
  readonly signature_url: string | null
  /** The reason for a cancellation, a rejection or a failed payment; otherwise null. */
  readonly rejection: RejectionReason | null
  readonly disbursement: Disbursement
  /** Number of the current payment attempt. It starts at 1 and increases with each correction of the disbursement data. */
  readonly disbursement_attempt: number
}

/**
 * PAID, CANCELLED and REJECTED are final.
 * @rule PROP-01
 */
export const isFinal = ({ status }: Pick<Proposal, "status">): boolean =>
  status === "PAID" || status === "CANCELLED" || status === "REJECTED"
