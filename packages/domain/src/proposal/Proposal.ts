import { Schema } from "effect"
import { type Cpf } from "../documents/Cpf.ts"
import { type Disbursement } from "../fgts/kyc/Disbursement.ts"
import { type RejectionReason } from "../fgts/lender/RejectionReason.ts"
import { type OfferId } from "../fgts/quote/OfferId.ts"
import { type Timestamp } from "../time/Timestamp.ts"
import { type ProposalId } from "./ProposalId.ts"
import { type ProposalNumber } from "./ProposalNumber.ts"

/** How a contract stands with the lender. */
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

/** A status that a proposal came to, when, and why where there is a reason to give. */
export interface StatusChange {
  readonly status: ProposalStatus
  readonly at: Timestamp
  readonly reason: string | null
}

/** What the customer agreed to and how, as the consumer tells. */
export interface Acceptance {
  readonly accepted_at: Timestamp
  readonly ip: string | null
  readonly user_agent: string | null
}

/** An accepted offer on its way to being paid: the contract, as it is kept. */
export interface Proposal {
  readonly proposal_id: ProposalId
  readonly number: ProposalNumber
  readonly offer_id: OfferId
  /** The user or API client that accepted. */
  readonly created_by: string
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
  readonly acceptance: Acceptance
  readonly customer: { readonly name: string; readonly cpf: Cpf }
  readonly status: ProposalStatus
  /** From the first status to the present one. */
  readonly status_history: ReadonlyArray<StatusChange>
  /** What the lender calls the contract; null until it has confirmed that it has it. */
  readonly reference: string | null
  /** Where the customer signs. */
  readonly signature_url: string | null
  /** Why it was cancelled or rejected, or why the last payment failed. */
  readonly rejection: RejectionReason | null
  readonly disbursement: Disbursement
  /** How many times paying was asked for: 1, and one more for each correction of where to pay. */
  readonly disbursement_attempt: number
}

/**
 * Nothing follows PAID, CANCELLED or REJECTED.
 * @rule PROP-01
 */
export const isFinal = ({ status }: Pick<Proposal, "status">): boolean =>
  status === "PAID" || status === "CANCELLED" || status === "REJECTED"
