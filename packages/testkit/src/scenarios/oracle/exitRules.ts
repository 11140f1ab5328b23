import { emptyKyc } from "@lastro/domain/kyc"
import { cancelOutcome, isCancelled, isCorrection, renewLinkOutcome, withdrawOutcome } from "./expectedOutcomes.ts"
import { type LoanRule, onEvery, refusalChangesNothing } from "./LoanRule.ts"

const refundStatuses: ReadonlySet<string | undefined> = new Set(["PAID", "REFUND_PENDING", "REFUNDED", "SETTLED"])

/** Rules 4 and 5 for cancellation, correction, withdrawal, reversal and new signature links. */
export const exitRules: ReadonlyArray<LoanRule> = [
  onEvery(
    "CancelApplication",
    4,
    "A cancellation succeeds exactly when the application has not ended",
    ({ before, outcome }) => outcome === cancelOutcome(before)
  ),
  onEvery(
    "CancelApplication",
    4,
    "A cancelled application has no live proposal",
    ({ after, outcome }) =>
      outcome !== "done" || (after.proposal === null
        ? isCancelled(after)
        : ["CANCELLING", "CANCELLED"].includes(after.proposal.status))
  ),
  refusalChangesNothing("CancelApplication", 4),
  onEvery(
    "SubmitKyc",
    5,
    "Refused data unlocks exactly the refused fields",
    ({ after, before: { kyc, proposal } }) =>
      proposal?.status !== "CORRECTION_NEEDED" ||
      isCorrection(proposal.refused_fields, kyc ?? emptyKyc, after.kyc ?? emptyKyc)
  ),
  onEvery(
    "WithdrawFromProposal",
    4,
    "A withdrawal succeeds exactly within the right of regret",
    ({ at, before, outcome }) => outcome === withdrawOutcome(before, at)
  ),
  onEvery(
    "WithdrawFromProposal",
    4,
    "A withdrawal starts a refund",
    ({ after, outcome }) => outcome !== "done" || after.proposal?.status === "REFUND_PENDING"
  ),
  refusalChangesNothing("WithdrawFromProposal", 4),
  onEvery(
    "RecordContract",
    4,
    "After its payment, a contract is PAID, REFUND_PENDING, REFUNDED or SETTLED",
    ({ after, before }) => !refundStatuses.has(before.proposal?.status) || refundStatuses.has(after.proposal?.status)
  ),
  {
    rule: 4,
    statement: "The lender starts at most one refund for each withdrawal",
    isKept: ({ application: { proposal }, contracts }) => {
      const withdrawals = (proposal?.status_history ?? []).filter(({ status }) => status === "REFUND_PENDING")
      return contracts.every(({ refunds = [] }) => refunds.length <= withdrawals.length)
    }
  },
  onEvery(
    "RenewSignatureLink",
    4,
    "A new signature link can be requested exactly while the signature is pending",
    ({ before, outcome }) => outcome === renewLinkOutcome(before)
  ),
  refusalChangesNothing("RenewSignatureLink", 4)
]
