import { Schema } from "effect"
import { isFinal } from "../../proposal/Proposal.ts"
import { type Timestamp } from "../../time/Timestamp.ts"
import { type Application, latestQuote } from "../application/Application.ts"
import { isExpired } from "./OfferStatus.ts"

/** How an application stands. */
export const ApplicationStatus = Schema.Literals([
  "QUOTING",
  "REJECTED",
  "QUOTE_FAILED",
  "QUOTED",
  "EXPIRED",
  "CONTRACTING",
  "CONTRACTED",
  "CANCELLED"
]).annotate({
  identifier: "ApplicationStatus",
  description: "Application status, derived from the latest quote, its offers, the proposal and the clock"
})
export type ApplicationStatus = typeof ApplicationStatus.Type

/**
 * How an application stands follows from its latest quote, the offers of it, the proposal and the time, and is kept nowhere.
 * @rule FGTS-04
 */
export const applicationStatus = (application: Application, at: Timestamp): ApplicationStatus => {
  const { proposal } = application
  if (proposal !== null) {
    return !isFinal(proposal) ? "CONTRACTING" : proposal.status === "PAID" ? "CONTRACTED" : "CANCELLED"
  }
  const quote = latestQuote(application)
  switch (quote.outcome) {
    case "PENDING":
      return "QUOTING"
    case "REJECTED":
      return "REJECTED"
    case "FAILED":
      return "QUOTE_FAILED"
    case "COMPLETED":
      return quote.offers.every((offer) => isExpired(offer, at)) ? "EXPIRED" : "QUOTED"
  }
}

/**
 * Work on an application is unfinished while a quote is pending or a contract is under way: its partner cannot be deleted
 * meanwhile. That is a matter of facts alone, whatever the time.
 * @rule FGTS-05
 */
export const isUnfinished = (application: Application): boolean =>
  application.proposal === null ? latestQuote(application).outcome === "PENDING" : !isFinal(application.proposal)
