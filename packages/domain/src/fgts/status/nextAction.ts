import { Schema } from "effect"
import { type Timestamp } from "../../time/Timestamp.ts"
import { type Application } from "../application/Application.ts"
import { isQuotable } from "../application/decideQuote.ts"
import { noKyc } from "../kyc/KycValues.ts"
import { isComplete } from "../kyc/missingFields.ts"
import { applicationStatus } from "./ApplicationStatus.ts"

/** What moves an application on. */
export const NextAction = Schema.Literals([
  "WAIT",
  "SUBMIT_KYC",
  "ACCEPT_OFFER",
  "REQUOTE",
  "SIGN",
  "FIX_DISBURSEMENT",
  "NONE"
]).annotate({
  description: "The caller's next action. `WAIT`: poll again. `SIGN`: the customer signs at the proposal's " +
    "`signature_url`. `FIX_DISBURSEMENT`: submit another disbursement account. `NONE`: no action is possible, or not yet.",
  examples: ["SUBMIT_KYC"]
})
export type NextAction = typeof NextAction.Type

/**
 * What moves an application on follows from how it stands: waiting while the lender is at work, KYC before accepting, a new
 * quote where one is allowed, the customer's signature, another account where paying failed.
 * @rule FGTS-09
 */
export const nextAction = (application: Application, at: Timestamp): NextAction => {
  switch (applicationStatus(application, at)) {
    case "QUOTING":
      return "WAIT"
    case "QUOTED":
      return isComplete(application.kyc ?? noKyc) ? "ACCEPT_OFFER" : "SUBMIT_KYC"
    case "EXPIRED":
    case "QUOTE_FAILED":
    case "REJECTED":
      return isQuotable(application, at) ? "REQUOTE" : "NONE"
    case "CONTRACTING":
      return application.proposal?.status === "AWAITING_SIGNATURE"
        ? "SIGN"
        : application.proposal?.status === "DISBURSEMENT_FAILED"
        ? "FIX_DISBURSEMENT"
        : "WAIT"
    case "CONTRACTED":
    case "CANCELLED":
      return "NONE"
  }
}
