import { Result } from "effect"
import { type NotFound } from "../../hierarchy/Scope.ts"
import { type Application } from "./Application.ts"
import { type ApplicationEvent } from "./ApplicationEvent.ts"
import {
  type ApplicationNotQuotable,
  type KycIncomplete,
  type KycLocked,
  type OfferNotAvailable,
  type QuoteInProgress
} from "./ApplicationRefusals.ts"
import { type AcceptOffer, decideAcceptOffer } from "./decideAccept.ts"
import { decideRecordContract, type RecordContract } from "./decideContract.ts"
import { decideSubmitKyc, type SubmitKyc } from "./decideKyc.ts"
import { decideRecordQuote, decideRequestQuote, type RecordQuote, type RequestQuote } from "./decideQuote.ts"

/** A command to an application. It carries the current time. */
export type ApplicationCommand = RequestQuote | RecordQuote | SubmitKyc | AcceptOffer | RecordContract

/** The errors with which a command can be refused. */
export type ApplicationRefusal =
  | ApplicationNotQuotable
  | KycIncomplete
  | KycLocked
  | NotFound
  | OfferNotAvailable
  | QuoteInProgress

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
  }
}
