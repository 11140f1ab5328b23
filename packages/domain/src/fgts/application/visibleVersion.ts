import { type Timestamp } from "../../time/Timestamp.ts"
import { type Application } from "./Application.ts"

/** An instant at which time alone changes what is seen of an application, unless a fact has settled that before. */
interface Transition {
  readonly at: Timestamp
  readonly settled: boolean
}

/** Offers expire, and what may be tried again only later can be tried, until a newer quote or an acceptance settles it. */
const transitions = ({ proposal, quotes }: Application): ReadonlyArray<Transition> =>
  quotes.flatMap(({ offers, rejection }, index) => {
    const settled = index + 1 < quotes.length || proposal !== null
    const instants = new Set(offers.map(({ expires_at }) => expires_at))
    if (rejection !== null && rejection.retry_at !== null) instants.add(rejection.retry_at)
    return Array.from(instants, (at) => ({ at, settled }))
  })

/**
 * The version of what is seen of an application is the number of facts recorded and of clock transitions passed, or settled by a
 * fact before: it rises with every visible change and never falls while the clock does not. That the settled ones count keeps
 * a fact from getting the number that the clock of another node, a little ahead, gave to an expiry.
 * @rule FGTS-10
 */
export const visibleVersion = (application: Application, at: Timestamp): number =>
  application.version +
  transitions(application).filter((transition) => transition.settled || transition.at <= at).length

/** The next instant at which time alone changes what is seen; none when only a fact can. */
export const nextTransition = (application: Application, at: Timestamp): Timestamp | undefined =>
  transitions(application)
    .filter((transition) => !transition.settled && transition.at > at)
    .map((transition) => transition.at)
    .toSorted()[0]

/** When what is seen of an application changed last, by a fact or by time. */
export const visiblyUpdatedAt = (application: Application, at: Timestamp): Timestamp =>
  transitions(application)
    .filter((transition) => !transition.settled && transition.at <= at)
    .reduce((latest, transition) => transition.at > latest ? transition.at : latest, application.updated_at)
