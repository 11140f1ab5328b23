import { type Quote } from "../offer/Quote.ts"
import { saoPauloMidnight } from "../values/CalendarDate.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { type Application } from "./Application.ts"
import { type LoanEvent } from "./LoanEvent.ts"

/**
 * A time at which the clock alone changes what callers see of an application. `isHidden` is true if callers no longer see
 * the change: a newer quote was requested, an offer was accepted, or the application was cancelled.
 */
interface Transition {
  readonly at: Timestamp
  readonly isHidden: boolean
}

/**
 * Lists the instants at which the clock alone changes a quote: the expiry of each offer, the `retry_at` of the
 * rejection, and the midnight of `blocked_until`, unless the offers have expired by then.
 */
export const clockInstants = ({ blocked_until, offers, rejection }: Quote): ReadonlySet<Timestamp> => {
  const instants = new Set(offers.map(({ expires_at }) => expires_at))
  const unblocked_at = blocked_until === undefined ? null : saoPauloMidnight(blocked_until)
  if (unblocked_at !== null && offers.some(({ expires_at }) => expires_at > unblocked_at)) instants.add(unblocked_at)
  if (rejection !== null && rejection.retry_at !== null) instants.add(rejection.retry_at)
  return instants
}

const transitions = ({ cancellation, proposal, quotes }: Application): ReadonlyArray<Transition> =>
  quotes.flatMap((quote, index) => {
    const isHidden = index + 1 < quotes.length || proposal !== null || cancellation !== null
    return Array.from(clockInstants(quote), (at) => ({ at, isHidden }))
  })

/**
 * The start of a submission, and its loss before the lender received it, change nothing that a caller can see. These
 * events change neither `updated_at` nor the visible version, so they do not end a long poll.
 * @rule PROP-16
 */
export const isInvisible = ({ _tag }: LoanEvent): boolean =>
  _tag === "ContractSubmitted" || _tag === "SubmissionNotReceived"

/** Returns the number of invisible events of an application. */
export const invisibleEvents = ({ proposal }: Pick<Application, "proposal">): number => proposal?.invisible_events ?? 0

/**
 * The visible version increases with every change that a caller can see. It never decreases unless the clock is set
 * back. It is the number of visible events (PROP-16), plus the number of clock transitions that have passed. A clock
 * transition is the expiry of an offer, a `retry_at` or a `blocked_until`.
 *
 * A newer quote counts all transitions of older quotes as passed. An accepted offer and a cancellation count all
 * transitions as passed, even future ones: the clocks of two nodes can differ. Otherwise an event could get the same
 * version as an expiry that a node with a fast clock has already returned.
 *
 * The deletion of the partner counts as one more change, because no new quote can then be requested.
 * @rule FGTS-10
 */
export const visibleVersion = (application: Application, at: Timestamp): number =>
  application.version - invisibleEvents(application) + (application.partner_deleted_at === null ? 0 : 1) +
  transitions(application).filter((transition) => transition.isHidden || transition.at <= at).length

/**
 * Returns the next time at which the clock alone changes what callers see (a clock transition). Undefined if only an
 * event can change it.
 */
export const nextTransition = (application: Application, at: Timestamp): Timestamp | undefined =>
  transitions(application)
    .filter((transition) => !transition.isHidden && transition.at > at)
    .map((transition) => transition.at)
    .toSorted()[0]

/** Returns the time of the last visible change: by an event, by the clock, or by the deletion of the partner. */
export const visiblyUpdatedAt = (application: Application, at: Timestamp): Timestamp =>
  transitions(application)
    .filter((transition) => !transition.isHidden && transition.at <= at)
    .map((transition) => transition.at)
    .concat(application.partner_deleted_at ?? [])
    .reduce((latest, time) => time > latest ? time : latest, application.updated_at)
