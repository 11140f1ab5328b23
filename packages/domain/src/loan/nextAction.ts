import { Schema } from "effect"
import { type Timestamp } from "../values/Timestamp.ts"
import { type Application, latestQuote } from "./Application.ts"
import { applicationStatus } from "./ApplicationStatus.ts"
import { isQuotable } from "./decideQuote.ts"
import { isBlocked } from "./pledges.ts"
import { hasCompleteOffer } from "./quoteParts.ts"

/** The action with which the caller can continue an application. It is derived (FGTS-09). */
export const NextAction = Schema.Literals([
  "WAIT",
  "SUBMIT_KYC",
  "ACCEPT_OFFER",
  "WAIT_FOR_SETTLEMENT",
  "REQUOTE",
  "RETRY_LATER",
  "SIGN",
  "FIX_DISBURSEMENT",
  "FIX_KYC",
  "NONE"
]).annotate({
  identifier: "NextAction",
  description: "The caller's next action. `WAIT`: poll again. `SIGN`: the customer signs at the proposal's " +
    "`signature_url`. `FIX_DISBURSEMENT`: submit another disbursement account. " +
    "`FIX_KYC`: submit the KYC fields that the lender refuses. `WAIT_FOR_SETTLEMENT`: another contract of the customer " +
    "pledges the next annual withdrawal; an offer cannot be accepted before it is settled, or before " +
    "`quote.blocked_until`. `RETRY_LATER`: a new quote is possible from the `retry_at` of the rejection on. " +
    "`NONE`: no action is possible.",
  examples: ["SUBMIT_KYC"]
})
export type NextAction = typeof NextAction.Type

/**
 * The next action is derived from the status.
 *
 * - WAIT: the caller can only poll. The lender is working, the customer must pay a refund, or the lender must resolve a
 *   conflict (FGTS-27).
 * - SUBMIT_KYC: the KYC is incomplete for every available offer.
 * - ACCEPT_OFFER: the KYC is complete for an available offer.
 * - WAIT_FOR_SETTLEMENT: offers are available, but another contract of the customer blocks them (FGTS-62).
 * - REQUOTE: a new quote is allowed.
 * - RETRY_LATER: a new quote is allowed from the rejection's `retry_at` on.
 * - SIGN: a signature is pending.
 * - FIX_DISBURSEMENT: the payment failed.
 * - FIX_KYC: the lender refused the data of the submission.
 * - NONE: any other case.
 * @rule FGTS-09
 */
export const nextAction = (application: Application, at: Timestamp): NextAction => {
  switch (applicationStatus(application, at)) {
    case "QUOTING":
      return "WAIT"
    case "QUOTED":
      if (isBlocked(latestQuote(application), at)) return "WAIT_FOR_SETTLEMENT"
      return hasCompleteOffer(application, at) ? "ACCEPT_OFFER" : "SUBMIT_KYC"
    case "EXPIRED":
    case "QUOTE_FAILED":
      return isQuotable(application, at) ? "REQUOTE" : "NONE"
    case "REJECTED":
      if (isQuotable(application, at)) return "REQUOTE"
      return isQuotableLater(application) ? "RETRY_LATER" : "NONE"
    case "CONTRACTING":
      return contractAction(application.proposal)
    case "REFUNDING":
      return "WAIT"
    case "CONTRACTED":
    case "CANCELLED":
      return "NONE"
  }
}

/** Returns whether a rejected application can be quoted again from its `retry_at` on. */
const isQuotableLater = (application: Application): boolean => {
  const retry_at = latestQuote(application).rejection?.retry_at ?? null
  return retry_at !== null && isQuotable(application, retry_at)
}

const contractAction = (proposal: Application["proposal"]): NextAction => {
  switch (proposal?.status) {
    case "AWAITING_SIGNATURE":
      return "SIGN"
    case "DISBURSEMENT_FAILED":
      return "FIX_DISBURSEMENT"
    case "CORRECTION_NEEDED":
      return "FIX_KYC"
    default:
      return "WAIT"
  }
}
