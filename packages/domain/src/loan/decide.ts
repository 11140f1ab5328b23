import { Result } from "effect"
import { type NotFound } from "../hierarchy/Scope.ts"
import { type Application } from "./Application.ts"
import { type ApplicationEvent } from "./ApplicationEvent.ts"
import {
  type ApplicationNotCancellable,
  type ApplicationNotQuotable,
  type JobNotCancellable,
  type KycIncomplete,
  type KycLocked,
  type OfferNotAvailable,
  type ProposalNotWithdrawable,
  type QuoteInProgress,
  type SignatureNotPending
} from "./ApplicationRefusals.ts"
import { type AcceptOffer, decideAcceptOffer } from "./decideAccept.ts"
import { type CancelApplication, decideCancel } from "./decideCancel.ts"
import { type CancelJob, decideCancelJob } from "./decideCancelJob.ts"
import { decideRecordContract, type RecordContract } from "./decideContract.ts"
import {
  decideRecordExitRefused,
  decideRecordInvalid,
  decideRecordNoContract,
  decideStartSubmission,
  type RecordExitRefused,
  type RecordInvalid,
  type RecordNoContract,
  type StartSubmission
} from "./decideExitAnswer.ts"
import { decideExpire, type ExpireProposal } from "./decideExpire.ts"
import { decideSubmitKyc, type SubmitKyc } from "./decideKyc.ts"
import { decideRecordQuote, decideRequestQuote, type RecordQuote, type RequestQuote } from "./decideQuote.ts"
import {
  decideRenewLink,
  decideWithdraw,
  type RenewSignatureLink,
  type WithdrawFromProposal
} from "./decideWithdraw.ts"

/** A command that changes a loan application. Its field `at` is the current time. */
export type ApplicationCommand =
  | RequestQuote
  | RecordQuote
  | SubmitKyc
  | AcceptOffer
  | StartSubmission
  | RecordInvalid
  | RecordContract
  | RecordNoContract
  | RecordExitRefused
  | ExpireProposal
  | CancelApplication
  | CancelJob
  | WithdrawFromProposal
  | RenewSignatureLink

/** The errors with which a command can be refused. */
export type ApplicationRefusal =
  | ApplicationNotCancellable
  | ApplicationNotQuotable
  | JobNotCancellable
  | KycIncomplete
  | KycLocked
  | NotFound
  | OfferNotAvailable
  | ProposalNotWithdrawable
  | QuoteInProgress
  | SignatureNotPending

/** Returns the events that a command causes (possibly none), or the error with which it is refused. */
export const decideApplication = (
  command: ApplicationCommand,
  application: Application
): Result.Result<ReadonlyArray<ApplicationEvent>, ApplicationRefusal> => {
  switch (command._tag) {
    case "RequestQuote":
      return decideRequestQuote(application, command)
    case "RecordQuote":
      return Result.succeed(decideRecordQuote(application, command))
    case "SubmitKyc":
      return decideSubmitKyc(application, command)
    case "AcceptOffer":
      return decideAcceptOffer(application, command)
    case "RecordContract":
      return Result.succeed(decideRecordContract(application, command))
    case "StartSubmission":
      return Result.succeed(decideStartSubmission(application, command))
    case "RecordInvalid":
      return Result.succeed(decideRecordInvalid(application, command))
    case "RecordNoContract":
      return Result.succeed(decideRecordNoContract(application, command))
    case "RecordExitRefused":
      return Result.succeed(decideRecordExitRefused(application, command))
    case "ExpireProposal":
      return Result.succeed(decideExpire(application, command))
    case "CancelApplication":
      return decideCancel(application, command)
    case "CancelJob":
      return decideCancelJob(application, command)
    case "WithdrawFromProposal":
      return decideWithdraw(application, command)
    case "RenewSignatureLink":
      return decideRenewLink(application, command)
  }
}
