import { type RejectionReason } from "../offer/RejectionReason.ts"
import { type Application, latestQuote } from "./Application.ts"

/** Returns the reason why there is no offer, why the contract ended, or why the last payment failed. Null if there is none. */
export const currentRejection = (application: Application): RejectionReason | null =>
  application.proposal === null
    ? application.cancellation?.rejection ?? latestQuote(application).rejection
    : application.proposal.rejection
