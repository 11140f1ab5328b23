import { Schema } from "effect"
import { type Cpf } from "../../documents/Cpf.ts"
import { type OfferId, type ProposalId } from "../../id/ids.ts"
import { type Timestamp } from "../../time/Timestamp.ts"
import { type Disbursement } from "../kyc/Disbursement.ts"
import { type RejectionReason } from "../quote/RejectionReason.ts"
import { type ProposalNumber } from "./ProposalNumber.ts"

const way: ReadonlyArray<ProposalStatus> = [
  "SUBMITTING",
  "AWAITING_SIGNATURE",
  "GUARANTEE_PENDING",
  "DISBURSING",
  "PAID"
]

/**
 * A proposal moves through SUBMITTING, AWAITING_SIGNATURE, GUARANTEE_PENDING, DISBURSING and PAID in this order. DISBURSING may fail
 * (DISBURSEMENT_FAILED) and be retried. Any status before PAID may change to CANCELLED or REJECTED. No status moves back, and final
 * statuses do not change.
 *
 * Returns the statuses on the path from one to another, without the first; empty if there is no path.
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
  way.slice(way.indexOf(from) + 1, way.indexOf(to) + 1)

/** The status of a proposal: of the contract at the lender. */
export const ProposalStatus = Schema.Literals([
  "SUBMITTING",
  "AWAITING_SIGNATURE",
  "GUARANTEE_PENDING",
  "DISBURSING",
  "DISBURSEMENT_FAILED",
  "PAID",
  "CANCELLED",
  "REJECTED"
]).annotate({
  identifier: "ProposalStatus",
  description: "Proposal status. The usual order is `SUBMITTING`, `AWAITING_SIGNATURE`, `GUARANTEE_PENDING`, " +
    "`DISBURSING`, `PAID`. A failed disbursement is `DISBURSEMENT_FAILED` until it is retried. Before `PAID` a proposal " +
    "can become `CANCELLED` (by the customer or by expiry) or `REJECTED` (by the lender)."
})
export type ProposalStatus = typeof ProposalStatus.Type

/** A change of status: new status, time and optional reason. */
export interface StatusChange {
  readonly status: ProposalStatus
  readonly at: Timestamp
  readonly reason: string | null
}

/** Evidence of the acceptance, as the consumer of the API sends it. */
export interface Acceptance {
  readonly accepted_at: Timestamp
  readonly ip: string | null
  readonly user_agent: string | null
}

/** A stored proposal: the contract of an accepted offer. */
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
  /** The lender's reference of the contract; null until the lender has confirmed it. */
  readonly reference: string | null
  /** The link at which the customer signs. */
  readonly signature_url: string | null
  /** The reason of a cancellation, a rejection or a failed payment. */
  readonly rejection: RejectionReason | null
  readonly disbursement: Disbursement
  /** Number of the payment attempt: 1, plus one for each correction of the disbursement data. */
  readonly disbursement_attempt: number
}

/**
 * PAID, CANCELLED and REJECTED are final.
 * @rule PROP-01
 */
export const isFinal = ({ status }: Pick<Proposal, "status">): boolean =>
  status === "PAID" || status === "CANCELLED" || status === "REJECTED"
