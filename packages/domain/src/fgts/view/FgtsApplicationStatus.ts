import { Schema } from "effect"
import { ApplicationId } from "../../id/ids.ts"
import { Timestamp } from "../../time/Timestamp.ts"
import { field } from "../../validation/field.ts"
import { type Application, latestQuote, recordingTime } from "../application/Application.ts"
import { ApplicationStatus, applicationStatus } from "../application/ApplicationStatus.ts"
import { NextAction, nextAction } from "../application/nextAction.ts"
import { QuoteStatus, quoteStatus } from "../application/QuoteStatus.ts"
import { visibleVersion, visiblyUpdatedAt } from "../application/visibleVersion.ts"
import { isKycComplete } from "../kyc/FgtsKyc.ts"

/** The part of an application that an API consumer polls: its status and next action, without personal data. */
export const FgtsApplicationStatus = Schema.Struct({
  application_id: ApplicationId,
  status: field(ApplicationStatus, "Application status", "QUOTED"),
  quote_status: field(QuoteStatus, "Status of the latest quote", "COMPLETED"),
  kyc_complete: field(Schema.Boolean, "True when all required KYC fields were submitted", false),
  next_action: NextAction,
  version: field(Schema.Int, "Increases with every visible change, including changes by time alone", 2),
  updated_at: field(Timestamp, "When the visible state last changed, including changes by time alone")
}).annotate({
  identifier: "FgtsApplicationStatus",
  description: "Application status and next action, without personal data"
})
export type FgtsApplicationStatus = typeof FgtsApplicationStatus.Type

/**
 * Returns the status of an application at the time of `clock`. If `clock` is before the last event, the time of that
 * event is used.
 */
export const fgtsApplicationStatus = (application: Application, clock: Timestamp): FgtsApplicationStatus => {
  const at = recordingTime(application, clock)
  return {
    application_id: application.application_id,
    status: applicationStatus(application, at),
    quote_status: quoteStatus(application, latestQuote(application)),
    kyc_complete: isKycComplete(application),
    next_action: nextAction(application, at),
    version: visibleVersion(application, at),
    updated_at: visiblyUpdatedAt(application, at)
  }
}
