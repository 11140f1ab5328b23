import { Schema } from "effect"

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
    "`DISBURSING`, `PAID`. `CORRECTION_NEEDED`: the lender refuses the KYC data until it is corrected, for at most seven days. A failed disbursement " +
    "is `DISBURSEMENT_FAILED` until it is retried. Before `PAID` a proposal can become `CANCELLED` (by the customer or by " +
    "expiry) or `REJECTED` (by the lender). `CANCELLING`: the lender has not confirmed the cancellation. `REFUND_PENDING`: " +
    "the customer withdrew from a paid contract and has to pay the money back. `REFUNDED`: the paid contract was reversed."
})
export type ProposalStatus = typeof ProposalStatus.Type

/** The status of a contract at the lender. */
export type LenderContractStatus = Exclude<ProposalStatus, "SUBMITTING" | "CORRECTION_NEEDED" | "CANCELLING">

/** All statuses of a contract at the lender. */
export const lenderContractStatuses: ReadonlyArray<LenderContractStatus> = ProposalStatus.literals.filter((status) =>
  status !== "SUBMITTING" && status !== "CORRECTION_NEEDED" && status !== "CANCELLING"
)

/**
 * CANCELLED, REJECTED and REFUNDED are final. PAID is not: a paid contract can be refunded or reversed.
 * @rule PROP-01
 */
export const isFinal = ({ status }: { readonly status: ProposalStatus }): boolean =>
  status === "CANCELLED" || status === "REJECTED" || status === "REFUNDED"

/**
 * A proposal is settled when it is PAID or final. A settled proposal requires no further step.
 * @rule PROP-06
 */
export const isSettled = (proposal: { readonly status: ProposalStatus }): boolean =>
  proposal.status === "PAID" || isFinal(proposal)

const usualOrder: ReadonlyArray<ProposalStatus> = [
  "SUBMITTING",
  "AWAITING_SIGNATURE",
  "GUARANTEE_PENDING",
  "DISBURSING",
  "PAID"
]

/**
 * A proposal moves through SUBMITTING, AWAITING_SIGNATURE, GUARANTEE_PENDING, DISBURSING and PAID in this order.
 * DISBURSING can fail (DISBURSEMENT_FAILED) and be retried. Any status before PAID can change to CANCELLED or REJECTED.
 * PAID can change to REFUND_PENDING and REFUNDED, and REFUND_PENDING back to PAID. CANCELLING changes only to
 * CANCELLED, REJECTED or PAID. Except for a retried payment and a refund that was not paid, a proposal never returns to
 * an earlier status. Final statuses never change.
 *
 * Returns the statuses after `from`, up to and including `to`, the status at the lender. Returns an empty list if there
 * is no path.
 * @rule PROP-03
 */
export const proposalPath = (from: ProposalStatus, to: LenderContractStatus): ReadonlyArray<ProposalStatus> => {
  if (isFinal({ status: from }) || from === to) return []
  if (from === "PAID") return to === "REFUND_PENDING" || to === "REFUNDED" ? [to] : []
  if (from === "REFUND_PENDING") return to === "PAID" || to === "REFUNDED" ? [to] : []
  if (to === "CANCELLED" || to === "REJECTED") return [to]
  if (to === "REFUND_PENDING" || to === "REFUNDED") return [...proposalPath(from, "PAID"), to]
  if (from === "CANCELLING") return to === "PAID" ? [to] : []
  if (from === "CORRECTION_NEEDED") return proposalPath("SUBMITTING", to)
  if (to === "DISBURSEMENT_FAILED") return [...ahead(from, "DISBURSING"), to]
  if (from === "DISBURSEMENT_FAILED") return to === "DISBURSING" ? [to] : to === "PAID" ? ["DISBURSING", to] : []
  return ahead(from, to)
}

const ahead = (from: ProposalStatus, to: ProposalStatus): ReadonlyArray<ProposalStatus> =>
  usualOrder.slice(usualOrder.indexOf(from) + 1, usualOrder.indexOf(to) + 1)
