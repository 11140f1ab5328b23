import { type Timestamp } from "../../time/Timestamp.ts"
import { type Application } from "./Application.ts"

/** An instant at which the clock alone changes the visible state of an application, unless a fact has settled it before. */
interface Transition {
  readonly at: Timestamp
  readonly settled: boolean
}

/** Lists the clock transitions: expiry of offers, and `retry_at` of rejections. A newer quote or an acceptance settles them. */
const transitions = ({ proposal, quotes }: Application): ReadonlyArray<Transition> =>
  quotes.flatMap(({ offers, rejection }, index) => {
    const settled = index + 1 < quotes.length || proposal !== null
    const instants = new Set(offers.map(({ expires_at }) => expires_at))
    if (rejection !== null && rejection.retry_at !== null) instants.add(rejection.retry_at)
    return Array.from(instants, (at) => ({ at, settled }))
  })

/**
 * The visible version is the number of recorded facts plus the number of clock transitions that have passed or were settled by a fact.
 * It rises with every visible change and never falls while the clock does not. Settled transitions count so that a fact never gets a
 * version that another node, with a clock slightly ahead, has given to an expiry.
 * @rule FGTS-10
 */
export const visibleVersion = (application: Application, at: Timestamp): number =>
  application.version +
  transitions(application).filter((transition) => transition.settled || transition.at <= at).length

/** Returns the next clock transition; undefined if only a fact can change the visible state. */
export const nextTransition = (application: Application, at: Timestamp): Timestamp | undefined =>
  transitions(application)
    .filter((transition) => !transition.settled && transition.at > at)
    .map((transition) => transition.at)
    .toSorted()[0]

/** Returns the time of the last visible change, by a fact or by the clock. */
export const visiblyUpdatedAt = (application: Application, at: Timestamp): Timestamp =>
  transitions(application)
    .filter((transition) => !transition.settled && transition.at <= at)
    .reduce((latest, transition) => transition.at > latest ? transition.at : latest, application.updated_at)
