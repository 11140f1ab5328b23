import { Result } from "effect"
import { type Application } from "./Application.ts"
import { type RenewSignatureLink } from "./LoanCommand.ts"
import { type LoanEvent } from "./LoanEvent.ts"
import { SignatureNotPending } from "./LoanRefusals.ts"

/**
 * A new signature link can be requested while the status is AWAITING_SIGNATURE, if the lender supports new links. While
 * a request is unanswered, another one changes nothing.
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
