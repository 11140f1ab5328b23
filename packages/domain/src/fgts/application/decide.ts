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

/** What may be asked of an application that is open. The time comes in with it. */
export type ApplicationCommand = RequestQuote | RecordQuote | SubmitKyc | AcceptOffer | RecordContract

/** Why an application says no. */
export type ApplicationRefusal =
  | ApplicationNotQuotable
  | KycIncomplete
  | KycLocked
  | NotFound
  | OfferNotAvailable
  | QuoteInProgress

/** What comes of a command: what happens to the application, nothing included, or why it is refused. */
export const decide = (
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
