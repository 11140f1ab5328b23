import { Schema } from "effect"
import { isExpired } from "../offer/offerExpiry.ts"
import { type Quote } from "../offer/Quote.ts"
import { addMillis, type Timestamp } from "../values/Timestamp.ts"
import { type Application, latestQuote } from "./Application.ts"
import { isFinal, isPaidOrFinal } from "./Proposal.ts"

/** The status of an application. It is derived (FGTS-04), never stored. */
export const ApplicationStatus = Schema.Literals([
  "QUOTING",
  "REJECTED",
  "QUOTE_FAILED",
  "QUOTED",
  "EXPIRED",
  "CONTRACTING",
  "CONTRACTED",
  "REFUNDING",
  "CANCELLED"
]).annotate({
  identifier: "ApplicationStatus",
  description: "Application status, derived from the latest quote, its offers, the proposal and the clock"
})
export type ApplicationStatus = typeof ApplicationStatus.Type

/**
 * Application status is derived from the latest quote, its offers, the proposal and the clock. It is never stored.
 * @rule FGTS-04
 */
export const applicationStatus = (application: Application, at: Timestamp): ApplicationStatus => {
  const { proposal } = application
  if (proposal !== null) {
    if (proposal.status === "PAID" || proposal.status === "SETTLED") return "CONTRACTED"
    if (proposal.status === "REFUND_PENDING") return "REFUNDING"
    return isFinal(proposal) ? "CANCELLED" : "CONTRACTING"
  }
  if (isCancelledEarly(application)) return "CANCELLED"
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
 * An application is unfinished while a quote is pending, a contract is in progress or a refund is pending. A paid
 * contract is finished, although its job still polls the lender. The partner of an unfinished application cannot be
 * deleted. The result depends only on the stored state, not on the clock.
 * @rule FGTS-05
 */
export const isUnfinished = (application: Application): boolean =>
  application.proposal === null ? latestQuote(application).outcome === "PENDING" : !isPaidOrFinal(application.proposal)

export const isCancelledEarly = ({ cancellation }: Pick<Application, "cancellation">): boolean => cancellation !== null

/** The stored form of a status. It ignores the clock: the stage stays `QUOTED` after the last offer has expired. */
export type ApplicationStage = Exclude<ApplicationStatus, "EXPIRED">

/** The two stored values from which the status is derived at any time (FGTS-50). A database index contains them. */
export interface ApplicationPlacement {
  readonly stage: ApplicationStage
  /**
   * The time at which the last offer expires. Null if the stage is not `QUOTED`, or if no offer was valid at the last
   * event.
   */
  readonly live_until: Timestamp | null
}

/**
 * Returns the stage of an application and the expiry of its last offer, for storage. They change only when an event is
 * recorded.
 */
export const placementOf = (application: Application): ApplicationPlacement => {
  const status = applicationStatus(application, application.updated_at)
  if (status === "EXPIRED") return { stage: "QUOTED", live_until: null }
  if (status !== "QUOTED") return { stage: status, live_until: null }
  return { stage: status, live_until: lastExpiryOf(latestQuote(application)) }
}

/** Returns the time at which the last offer of a quote expires; null without offers. */
export const lastExpiryOf = ({ offers }: Pick<Quote, "offers">): Timestamp | null =>
  offers.reduce<Timestamp | null>(
    (last, { expires_at }) => last === null || expires_at > last ? expires_at : last,
    null
  )

/** Bounds of placements. */
export interface PlacementBounds {
  readonly stage: ApplicationStage
  /** `live_until` is at this time or later. */
  readonly live_from?: Timestamp
  /** `live_until` is before this time, or null. */
  readonly live_before?: Timestamp
}

/**
 * The status at any time is derived from the stored `stage` and `live_until`. It equals the stage, except that QUOTED
 * becomes EXPIRED when the last offer expires. Lists filter by this status.
 *
 * Returns the bounds of the placements that have a status at a time. Timestamps have a precision of 1 ms, so
 * `live_until > at` equals `live_until >= at + 1 ms`.
 * @rule FGTS-50
 */
export const placementsWith = (status: ApplicationStatus, at: Timestamp): PlacementBounds => {
  switch (status) {
    case "QUOTED":
      return { stage: "QUOTED", live_from: addMillis(at, 1) }
    case "EXPIRED":
      return { stage: "QUOTED", live_before: addMillis(at, 1) }
    default:
      return { stage: status }
  }
}
