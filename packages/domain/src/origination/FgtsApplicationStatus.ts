import { Schema } from "effect"
import { field } from "../input/field.ts"
import { isKycComplete } from "../kyc/FgtsKyc.ts"
import { type Application, currentRejection, latestQuote, recordingTime } from "../loan/Application.ts"
import { ApplicationStatus, applicationStatus } from "../loan/ApplicationStatus.ts"
import { NextAction, nextAction } from "../loan/nextAction.ts"
import { QuoteStatus, quoteStatus } from "../loan/OfferStatus.ts"
import { withRequirementsAt } from "../loan/quoteParts.ts"
import { visibleVersion, visiblyUpdatedAt } from "../loan/visibleVersion.ts"
import { ApplicationId, ProposalId } from "../values/ids.ts"
import { Timestamp } from "../values/Timestamp.ts"

/** The status and the next action of an application, which API consumers poll. Without personal data. */
export const FgtsApplicationStatus = Schema.Struct({
  application_id: ApplicationId,
  status: field(ApplicationStatus, "Application status", "QUOTED"),
  quote_status: field(QuoteStatus, "Status of the latest quote", "COMPLETED"),
  kyc_complete: field(Schema.Boolean, "True when all required KYC fields were submitted", false),
  next_action: NextAction,
  retry_at: field(
    Schema.NullOr(Timestamp),
    "The time from which a new quote is possible after the current rejection; null if there is none",
    null
  ),
  proposal_id: field(Schema.NullOr(ProposalId), "The id of the proposal; null before an offer is accepted", null),
  signature_url: field(
    Schema.NullOr(Schema.String),
    "The URL at which the customer signs, while `next_action` is `SIGN`; otherwise null. Not part of `version` and " +
      "`ETag`.",
    null
  ),
  version: field(Schema.Int, "Increases with every visible change, including changes by time alone", 2),
  updated_at: field(Timestamp, "When the visible state last changed, including changes by time alone")
}).annotate({
  identifier: "FgtsApplicationStatus",
  description: "Application status and next action, without personal data"
})
export interface FgtsApplicationStatus extends Schema.Schema.Type<typeof FgtsApplicationStatus> {}

/** Returns the status of an application, at the time of `clock` or of the last event, whichever is later. */
export const fgtsApplicationStatus = (application: Application, clock: Timestamp): FgtsApplicationStatus => {
  const at = recordingTime(application, clock)
  const next_action = nextAction(application, at)
  const { proposal } = application
  return {
    application_id: application.application_id,
    status: applicationStatus(application, at),
    quote_status: quoteStatus(application, latestQuote(application)),
    kyc_complete: isKycComplete(withRequirementsAt(application, at)),
    next_action,
    retry_at: currentRejection(application)?.retry_at ?? null,
    proposal_id: proposal?.proposal_id ?? null,
    signature_url: next_action === "SIGN" && proposal !== null && "signature_url" in proposal
      ? proposal.signature_url
      : null,
    version: visibleVersion(application, at),
    updated_at: visiblyUpdatedAt(application, at)
  }
}

/** Returns a status without its signature link. A long poll does not end if only the link differs. */
export const withoutLink = (status: FgtsApplicationStatus): FgtsApplicationStatus => ({
  ...status,
  signature_url: null
})
