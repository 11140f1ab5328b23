import { Duration, Effect, Option, Result } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { callerKey } from "../access/Caller.ts"
import { judgeFound, scopeOf } from "../hierarchy/Scope.ts"
import { type RawQuery, unknownParameters } from "../input/RawQuery.ts"
import { ValidationFailed } from "../input/ValidationFailed.ts"
import { type Application } from "../loan/Application.ts"
import { nextTransition } from "../loan/visibleVersion.ts"
import { parseWait, StatusWatch, type WaitResult } from "../ports/StatusWatch.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { WaitInTransaction } from "../ports/WaitInTransaction.ts"
import { type ApplicationId } from "../values/ids.ts"
import { currentTimestamp, millisOf, type Timestamp } from "../values/Timestamp.ts"
import { ApplicationRepository } from "./ApplicationRepository.ts"
import { type FgtsApplicationStatus, fgtsApplicationStatus, withoutLink } from "./FgtsApplicationStatus.ts"

/** The status of an application, and whether the long poll was refused for lack of capacity. */
export interface StatusRead {
  readonly status: FgtsApplicationStatus
  readonly turned_away: boolean
}

/**
 * A long poll waits while the status equals the one that the caller already has, even a final one. If the caller sent
 * no status, it waits only while the status has not changed since the request, and the next action is WAIT. The expiry
 * of an offer changes the status and ends the wait.
 * @rule WAIT-03
 */
export const isHeld = (
  { next_action, version }: FgtsApplicationStatus,
  arrival: FgtsApplicationStatus,
  isKnown: Option.Option<boolean>
): boolean => Option.getOrElse(isKnown, () => next_action === "WAIT" && version === arrival.version)

const parseQuery = (query: RawQuery): Result.Result<number, ValidationFailed> => {
  const wait = parseWait(query)
  const unknown = unknownParameters(query, (name) => name === "wait")
  if (unknown.length === 0) return wait
  const problems = Result.isFailure(wait) ? wait.failure.problems : []
  return Result.fail(new ValidationFailed({ problems: [...problems, ...unknown] }))
}

/** A status, with the application and the time from which it was derived. */
interface Reading {
  readonly application: Application
  readonly at: Timestamp
  readonly status: FgtsApplicationStatus
}

type IsKnown = (status: FgtsApplicationStatus) => Option.Option<boolean>

/**
 * Returns the status of an application in the caller's subtree. With `wait` in the query, the answer is delayed until
 * the status changes or the wait ends. Dies with {@link WaitInTransaction} if it would wait in a transaction. `isKnown`
 * returns whether the caller already has a status, or none if the caller sent no status.
 */
export const getApplicationStatus = (
  allowed: Allowed<"fgts:read">,
  id: ApplicationId,
  query: RawQuery,
  isKnown: IsKnown = () => Option.none()
) =>
  ApplicationRepository.use(({ find }) => {
    const read = Effect.flatMap(find(scopeOf(allowed), id), (found) => {
      const judged = judgeFound(found)
      if (Result.isFailure(judged)) return Effect.fail(judged.failure)
      const { record: application } = judged.success
      return Effect.map(
        currentTimestamp,
        (at): Reading => ({ application, at, status: fgtsApplicationStatus(application, at) })
      )
    })
    type Refused = Effect.Error<typeof read> | ValidationFailed
    return Effect.flatMap(read, (arrival): Effect.Effect<StatusRead, Refused, StatusWatch | UnitOfWork> => {
      const wait = parseQuery(query)
      if (Result.isFailure(wait)) return Effect.fail(wait.failure)
      return wait.success === 0
        ? Effect.succeed({ status: arrival.status, turned_away: false })
        : waitForChange(allowed, read, arrival, wait.success, isKnown)
    })
  })

/** Delays the answer of {@link getApplicationStatus} for at most `wait` seconds after the arrival. */
const waitForChange = Effect.fnUntraced(function*<E, R>(
  allowed: Allowed<"fgts:read">,
  read: Effect.Effect<Reading, E, R>,
  arrival: Reading,
  wait: number,
  isKnown: IsKnown
) {
  const watch = yield* StatusWatch
  const { isOpen } = yield* UnitOfWork
  const until = millisOf(arrival.at) + 1_000 * wait
  let present = arrival
  let waited_until = millisOf(arrival.at)
  let awaited: WaitResult = "CHANGED"
  const mustWait = () =>
    Math.max(waited_until, millisOf(present.at)) < until &&
    isHeld(present.status, arrival.status, isKnown(withoutLink(present.status)))
  while (mustWait()) {
    if (yield* isOpen) return yield* Effect.die(new WaitInTransaction())
    const pause = pauseUntil(present.application, present.at, until)
    awaited = yield* watch.wait({
      subject: callerKey(allowed.caller),
      application_id: present.application.application_id,
      version: present.application.version,
      timeout: Duration.millis(pause)
    })
    // A timer can fire a millisecond before the clock reaches the end. The wait is still complete and is not repeated.
    if (awaited === "TIMEOUT") waited_until = millisOf(present.at) + pause
    if (awaited === "TURNED_AWAY") break
    present = yield* read
    if (awaited === "RELEASED") break
  }
  const answer: StatusRead = { status: present.status, turned_away: awaited === "TURNED_AWAY" }
  return answer
})

/**
 * Returns the duration of the next wait in milliseconds: until the deadline, or until the status changes by time alone,
 * whichever is earlier.
 */
const pauseUntil = (application: Application, at: Timestamp, until: number): number => {
  const transition = nextTransition(application, at)
  const end = transition === undefined ? until : Math.min(until, millisOf(transition))
  return Math.max(end - millisOf(at), 1)
}
