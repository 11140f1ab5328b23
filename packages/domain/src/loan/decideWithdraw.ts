import { Result } from "effect"
import { addDays, saoPauloDate } from "../values/CalendarDate.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { type Application } from "./Application.ts"
import { type ApplicationEvent } from "./ApplicationEvent.ts"
import { ProposalNotWithdrawable, SignatureNotPending } from "./ApplicationRefusals.ts"
import { type WithdrawalReason } from "./ContractFacts.ts"
import { type LenderExits } from "./LenderContract.ts"
import { type Proposal } from "./Proposal.ts"

/** The command to withdraw from a paid contract. */
export interface WithdrawFromProposal {
  readonly _tag: "WithdrawFromProposal"
  readonly at: Timestamp
  readonly reason: WithdrawalReason
  /** The exits that the lender offers: cancellation, refund, new signature link. Null if they are not known. */
  readonly exits: LenderExits | null
}

/** Number of calendar days after the payment on which the customer can withdraw. */
const regretDays = 7

/** Returns the time of the payment: as the lender stated it, or when the status PAID was recorded. */
const paidAt = ({ created_at, paid, status_history }: Proposal): Timestamp =>
  paid?.at ?? status_history.find(({ status }) => status === "PAID")?.at ?? created_at

/**
 * A customer can withdraw from a contract until the end of the seventh calendar day after its payment, in America/Sao_Paulo.
 *
 * Source: Código de Defesa do Consumidor (Lei 8.078/1990), art. 49.
 * @rule PROP-09
 */
export const isWithinRegret = (paid_at: Timestamp, at: Timestamp): boolean =>
  saoPauloDate(at) <= addDays(saoPauloDate(paid_at), regretDays)

const refuse = (reason: ProposalNotWithdrawable["reason"]) => Result.fail(new ProposalNotWithdrawable({ reason }))

/**
 * A withdrawal is possible if the status is PAID, the right of regret has not ended (PROP-09), and the lender offers
 * refunds. The proposal then becomes REFUND_PENDING.
 * @rule FGTS-32
 */
export const decideWithdraw = (
  { proposal }: Application,
  { at, exits, reason }: WithdrawFromProposal
): Result.Result<ReadonlyArray<ApplicationEvent>, ProposalNotWithdrawable> => {
  if (proposal?.status !== "PAID") return refuse("NOT_PAID")
  if (!isWithinRegret(paidAt(proposal), at)) return refuse("TOO_LATE")
  return exits?.refund === false
    ? refuse("LENDER_CANNOT_REFUND")
    : Result.succeed([{ _tag: "WithdrawalRequested", at, reason }])
}

/** The command to request a new signature link. */
export interface RenewSignatureLink {
  readonly _tag: "RenewSignatureLink"
  readonly at: Timestamp
  /** The exits that the lender offers: cancellation, refund, new signature link. Null if they are not known. */
  readonly exits: LenderExits | null
}

/**
 * A new signature link can be requested while the status is AWAITING_SIGNATURE, if the lender offers new links. While
 * such a request is unanswered, another request changes nothing.
 * @rule FGTS-33
 */
export const decideRenewLink = (
  { proposal }: Application,
  { at, exits }: RenewSignatureLink
): Result.Result<ReadonlyArray<ApplicationEvent>, SignatureNotPending> => {
  if (proposal?.status !== "AWAITING_SIGNATURE") return Result.fail(new SignatureNotPending({ reason: "NOT_PENDING" }))
  if (exits?.signature_link === false) return Result.fail(new SignatureNotPending({ reason: "LENDER_HAS_NO_LINKS" }))
  return Result.succeed((proposal.link_requested_at ?? null) !== null ? [] : [{ _tag: "SignatureLinkRequested", at }])
}
