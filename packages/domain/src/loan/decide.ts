import { Result } from "effect"
import { type Application } from "./Application.ts"
import { decideAcceptOffer } from "./decideAccept.ts"
import { decideCancel, decideCancelJob, decideRecordNoContract } from "./decideCancel.ts"
import { decideRecordContract } from "./decideContract.ts"
import { decideRecordExitRefused } from "./decideExitRefused.ts"
import { decideExpire } from "./decideExpire.ts"
import { decideSubmitKyc } from "./decideKyc.ts"
import { decidePassPatience, decideRecordQuote, decideRequestQuote } from "./decideQuote.ts"
import { decideRenewLink } from "./decideRenewLink.ts"
import { decideRecordInvalid, decideRecordNotReceived, decideStartSubmission } from "./decideSubmission.ts"
import { decideWithdraw } from "./decideWithdrawal.ts"
import { type LoanCommand, type LoanRefusals } from "./LoanCommand.ts"
import { type LoanEvent } from "./LoanEvent.ts"

type Decision<Tag extends LoanCommand["_tag"]> = (
  command: Extract<LoanCommand, { readonly _tag: Tag }>,
  application: Application
) => Result.Result<ReadonlyArray<LoanEvent>, LoanRefusals[Tag]>

/** Wraps a rule that never refuses its command. */
const neverRefused =
  <Command>(rule: (command: Command, application: Application) => ReadonlyArray<LoanEvent>) =>
  (command: Command, application: Application) => Result.succeed(rule(command, application))

const decisions: { readonly [Tag in LoanCommand["_tag"]]: Decision<Tag> } = {
  RequestQuote: decideRequestQuote,
  RecordQuote: neverRefused(decideRecordQuote),
  PassPatience: neverRefused(decidePassPatience),
  SubmitKyc: decideSubmitKyc,
  AcceptOffer: decideAcceptOffer,
  StartSubmission: neverRefused(decideStartSubmission),
  RecordNotReceived: neverRefused(decideRecordNotReceived),
  RecordInvalid: neverRefused(decideRecordInvalid),
  RecordContract: neverRefused(decideRecordContract),
  RecordNoContract: neverRefused(decideRecordNoContract),
  RecordExitRefused: neverRefused(decideRecordExitRefused),
  ExpireProposal: neverRefused(decideExpire),
  CancelApplication: decideCancel,
  CancelJob: decideCancelJob,
  WithdrawFromProposal: decideWithdraw,
  RenewSignatureLink: decideRenewLink
}

/**
 * Returns the events that a command causes (possibly none), or the error with which it is refused. Every change of a
 * loan is decided here and then applied by `evolve`, including the changes by durable jobs, callbacks and the operator.
 * docs/states.md lists, for each status, what each command does.
 */
export const decide = <Command extends LoanCommand>(
  command: Command,
  application: Application
): Result.Result<ReadonlyArray<LoanEvent>, LoanRefusals[Command["_tag"]]> => {
  // Each entry decides the command with its own tag. The type checker cannot prove this for a union.
  const decision = decisions[command._tag] as unknown as Decision<Command["_tag"]>
  return decision(command as never, application)
}
