import { Effect } from "effect"
import { accrualsOf, basisAmountOf, type PaidContract } from "../commission/accruals.ts"
import { appendEntries } from "../commission/appendEntries.ts"
import { CommissionLedger } from "../commission/CommissionLedger.ts"
import { CommissionSettings } from "../commission/CommissionSettings.ts"
import { clawbacksOf } from "../commission/entries.ts"
import { type Application, contractTerms } from "../loan/Application.ts"
import { evolve } from "../loan/evolve.ts"
import { type LoanEvent } from "../loan/LoanEvent.ts"
import { paidAt, paymentOf, type Proposal, type ProposalStatus, referenceOf } from "../loan/Proposal.ts"
import { type Timestamp } from "../values/Timestamp.ts"

/** The effect of an event on the commissions of a contract: it was paid, or the payment was reversed. */
export type CommissionStep =
  | ({ readonly kind: "PAID" } & PaidContract)
  | { readonly kind: "REVERSED"; readonly proposal: Proposal; readonly at: Timestamp }

const hasBeen = (application: Application, status: ProposalStatus): boolean =>
  application.proposal?.status_history.some((change) => change.status === status) ?? false

/**
 * Commissions accrue when a contract is PAID for the first time, and are clawed back when a contract that was PAID is
 * REFUNDED. A contract that is PAID again after REFUND_PENDING changes nothing. The basis amount is that of the
 * lender's final terms, or else of the offer. A contract without a frozen commission accrues nothing.
 * @rule COMM-18
 */
export const commissionSteps = (
  application: Application,
  events: ReadonlyArray<LoanEvent>
): ReadonlyArray<CommissionStep> => {
  let present = application
  return events.flatMap((event): ReadonlyArray<CommissionStep> => {
    const before = present
    present = evolve(before, event)
    const { proposal } = present
    const terms = contractTerms(present)
    if (proposal === null || proposal.commission === null || terms === null) return []
    const { at } = event
    if (!hasBeen(before, "PAID") && hasBeen(present, "PAID")) {
      return [{
        kind: "PAID",
        proposal_id: proposal.proposal_id,
        frozen: proposal.commission,
        basis_amount: basisAmountOf(proposal.commission.basis, terms),
        reference: referenceOf(proposal),
        paid_amount: paymentOf(proposal)?.amount ?? null,
        paid_at: paidAt(proposal) ?? at,
        at
      }]
    }
    return hasBeen(before, "PAID") && !hasBeen(before, "REFUNDED") && proposal.status === "REFUNDED"
      ? [{ kind: "REVERSED", proposal, at }]
      : []
  })
}

/** Appends the commission entries of a decision, in its transaction. Without a frozen commission, it does nothing. */
export const recordCommissions = Effect.fnUntraced(function*(
  application: Application,
  events: ReadonlyArray<LoanEvent>
) {
  for (const step of commissionSteps(application, events)) {
    const ledger = yield* CommissionLedger
    yield* appendEntries(
      step.kind === "PAID"
        ? accrualsOf(step, (yield* CommissionSettings).hold_ms)
        : clawbacksOf(yield* ledger.accruals(step.proposal.proposal_id), step.at),
      step.at
    )
  }
})
