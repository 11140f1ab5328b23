import { Result } from "effect"
import { addDays, saoPauloDate } from "../values/CalendarDate.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { type Application } from "./Application.ts"
import { type WithdrawFromProposal } from "./LoanCommand.ts"
import { type LoanEvent } from "./LoanEvent.ts"
import { ProposalNotWithdrawable } from "./LoanRefusals.ts"
import { paidAt, type Proposal } from "./Proposal.ts"

/** Number of calendar days after the payment within which the customer can withdraw. */
const regretDays = 7

/**
 * A customer can withdraw from a contract until the end of the seventh calendar day after its payment, in
 * America/Sao_Paulo.
 *
 * Source: Código de Defesa do Consumidor (Lei 8.078/1990), art. 49.
 * @rule PROP-09
 */
export const isWithinRegret = (paid_at: Timestamp, at: Timestamp): boolean =>
  saoPauloDate(at) <= addDays(saoPauloDate(paid_at), regretDays)

/**
 * If a cancellation was requested within the right of regret (PROP-09), the customer can also withdraw until the seventh
 * calendar day after the lender's report of the payment. The request shows in time that the customer does not want the
 * contract, and nobody could withdraw before the report.
 * @rule PROP-21
 */
export const isRegretKept = ({ status_history }: Proposal, paid_at: Timestamp, at: Timestamp): boolean => {
  const reported = status_history.find(({ status }) => status === "PAID")
  return reported !== undefined && isWithinRegret(reported.at, at) &&
    status_history.some((change) => change.status === "CANCELLING" && isWithinRegret(paid_at, change.at))
}

const refuse = (reason: ProposalNotWithdrawable["reason"]) => Result.fail(new ProposalNotWithdrawable({ reason }))

/**
 * A customer can withdraw from a contract if its status is PAID, the right of regret has not ended (PROP-09 and PROP-21),
 * and the lender supports refunds. The proposal then becomes REFUND_PENDING.
 *
 * This withdrawal (desistência) is not the annual withdrawal from the FGTS account (saque), which a contract pledges.
 * @rule FGTS-32
 */
export const decideWithdraw = (
  { at, exits, reason }: WithdrawFromProposal,
  { proposal }: Application
): Result.Result<ReadonlyArray<LoanEvent>, ProposalNotWithdrawable> => {
  const paid_at = proposal?.status === "PAID" ? paidAt(proposal) : null
  if (proposal === null || paid_at === null) return refuse("NOT_PAID")
  if (!isWithinRegret(paid_at, at) && !isRegretKept(proposal, paid_at, at)) return refuse("TOO_LATE")
  return exits?.refund === false
    ? refuse("LENDER_CANNOT_REFUND")
    : Result.succeed([{ _tag: "WithdrawalRequested", at, reason }])
}
