import { Equal, Result } from "effect"
import { addDays, saoPauloDate } from "../values/CalendarDate.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { type Application } from "./Application.ts"
import { type RecordExitRefused, type RenewSignatureLink, type WithdrawFromProposal } from "./LoanCommand.ts"
import { type LoanEvent, type RequestProblem } from "./LoanEvent.ts"
import { ProposalNotWithdrawable, SignatureNotPending } from "./LoanRefusals.ts"
import { type OpenRequest, openRequestOf, paidAt } from "./Proposal.ts"

/** Number of calendar days after the payment on which the customer can withdraw. */
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

const refuse = (reason: ProposalNotWithdrawable["reason"]) => Result.fail(new ProposalNotWithdrawable({ reason }))

/**
 * A customer can withdraw from a contract if its status is PAID, the right of regret has not ended (PROP-09), and the
 * lender supports refunds. The proposal then becomes REFUND_PENDING.
 *
 * This withdrawal (desistência) is not the annual withdrawal from the FGTS account (saque), which a contract pledges.
 * @rule FGTS-32
 */
export const decideWithdraw = (
  { at, exits, reason }: WithdrawFromProposal,
  { proposal }: Application
): Result.Result<ReadonlyArray<LoanEvent>, ProposalNotWithdrawable> => {
  const paid_at = proposal?.status === "PAID" ? paidAt(proposal) : null
  if (paid_at === null) return refuse("NOT_PAID")
  if (!isWithinRegret(paid_at, at)) return refuse("TOO_LATE")
  return exits?.refund === false
    ? refuse("LENDER_CANNOT_REFUND")
    : Result.succeed([{ _tag: "WithdrawalRequested", at, reason }])
}

/**
 * A new signature link can be requested while the status is AWAITING_SIGNATURE, if the lender supports new links. While
 * such a request is unanswered, another one changes nothing.
 * @rule FGTS-33
 */
export const decideRenewLink = (
  { at, exits }: RenewSignatureLink,
  { proposal }: Application
): Result.Result<ReadonlyArray<LoanEvent>, SignatureNotPending> => {
  if (proposal?.status !== "AWAITING_SIGNATURE") return Result.fail(new SignatureNotPending({ reason: "NOT_PENDING" }))
  if (exits?.signature_link === false) return Result.fail(new SignatureNotPending({ reason: "LENDER_HAS_NO_LINKS" }))
  return Result.succeed(proposal.link_requested_at === null ? [{ _tag: "SignatureLinkRequested", at }] : [])
}

/**
 * If the lender refuses a requested cancellation, refund or signature link, or does not support it, the proposal
 * returns to its status before the request. The history records the reason. A refusal that does not belong to the
 * present request changes nothing: meanwhile, the customer can have cancelled, or a later request can have been made.
 * @rule FGTS-36
 */
export const decideRecordExitRefused = (
  { at, cause, request }: RecordExitRefused,
  { proposal }: Application
): ReadonlyArray<LoanEvent> =>
  proposal !== null && Equal.equals(openRequestOf(proposal), request) ? refusedBy(request.kind, cause, at) : []

/** Returns the event of a request that the lender refuses or does not support. */
export const refusedBy = (
  kind: OpenRequest["kind"],
  cause: RequestProblem,
  at: Timestamp
): ReadonlyArray<LoanEvent> => [
  { _tag: refusals[kind], at, cause }
]

const refusals = {
  cancel: "CancellationRefused",
  refund: "WithdrawalRefused",
  signature_link: "SignatureLinkRefused"
} as const
