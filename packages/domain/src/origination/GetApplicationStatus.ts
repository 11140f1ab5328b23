import { Context, Duration, Effect, Option, Result } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { callerKey } from "../access/Caller.ts"
import { judgeFound, scopeOf } from "../hierarchy/Scope.ts"
import { fieldProblem as problemAt, ValidationFailed } from "../input/FieldProblem.ts"
import { parseInteger } from "../input/PageRequest.ts"
import { firstValue, type RawQuery, unknownParameters } from "../input/RawQuery.ts"
import { type Application } from "../loan/Application.ts"
import { nextTransition } from "../loan/visibleVersion.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { WaitInTransaction } from "../ports/WaitInTransaction.ts"
import { type ApplicationId } from "../values/ids.ts"
import { currentTimestamp, millisOf, type Timestamp } from "../values/Timestamp.ts"
import { ApplicationRepository } from "./ApplicationRepository.ts"
import { type FgtsApplicationStatus, fgtsApplicationStatus, withoutLink } from "./FgtsApplicationStatus.ts"

/** Maximum duration of a long poll, in seconds. */
export const maxWaitSeconds = 30

/**
 * `wait` is limited to the range from 0 to 30 seconds. Default: 0.
 * @rule WAIT-02
 */
export const parseWait = (query: RawQuery): Result.Result<number, ValidationFailed> => {
  const text = firstValue(query["wait"]) ?? ""
  const seconds = text === "" ? Result.succeed(0) : parseInteger(text)
  const unknown = unknownParameters(query, (name) => name === "wait")
  if (Result.isSuccess(seconds) && unknown.length === 0) {
    return Result.succeed(Math.min(Math.max(seconds.success, 0), maxWaitSeconds))
  }
  const problems = Result.isFailure(seconds) ? [problemAt("query.wait", seconds.failure)] : []
  return Result.fail(new ValidationFailed({ problems: [...problems, ...unknown] }))
}

/** The status of an application, and whether the long poll was refused for lack of capacity. */
export interface StatusRead {
  readonly status: FgtsApplicationStatus
  readonly turned_away: boolean
}

/**
 * A long poll waits while the status equals the status that the caller already has, final statuses included. A caller
 * who sent no status waits only while Lastro or the lender is working (next action WAIT) and the status is that of the
 * arrival. The expiry of an offer changes the status, so it ends the wait.
 * @rule WAIT-03
 */
export const isHeld = (
  { next_action, version }: FgtsApplicationStatus,
  arrival: FgtsApplicationStatus,
  isKnown: Option.Option<boolean>
): boolean => Option.getOrElse(isKnown, () => next_action === "WAIT" && version === arrival.version)

/**
 * Returns the status of an application in the caller's subtree. If the query contains `wait`, the answer is delayed until the
 * status changes or the wait expires. Dies with {@link WaitInTransaction} if it would wait in a transaction. `isKnown` returns
 * whether the caller already has a given status, or none if the caller sent no status.
 */
export const getApplicationStatus = Effect.fnUntraced(function*(
  allowed: Allowed<"fgts:read">,
  id: ApplicationId,
  query: RawQuery,
  isKnown: (status: FgtsApplicationStatus) => Option.Option<boolean> = () => Option.none()
) {
  const applications = yield* ApplicationRepository
  const watch = yield* StatusWatch
  const { isOpen } = yield* UnitOfWork
  const read = Effect.gen(function*() {
    const found = yield* applications.find(scopeOf(allowed), id)
    const { record } = yield* Effect.fromResult(judgeFound(found))
    const at = yield* currentTimestamp
    return { application: record, at, status: fgtsApplicationStatus(record, at) }
  })
  const arrival = yield* read
  const until = millisOf(arrival.at) + 1_000 * (yield* Effect.fromResult(parseWait(query)))
  let present = arrival
  let awaited: WaitResult = "CHANGED"
  let end = millisOf(arrival.at)
  while (
    end < until && millisOf(present.at) < until && awaited !== "TURNED_AWAY" && awaited !== "RELEASED" &&
    isHeld(present.status, arrival.status, isKnown(withoutLink(present.status)))
  ) {
    if (yield* isOpen) return yield* Effect.die(new WaitInTransaction())
    const pause = pauseUntil(present.application, present.at, until)
    awaited = yield* watch.wait({
      subject: callerKey(allowed.caller),
      application_id: id,
      version: present.application.version,
      timeout: Duration.millis(pause)
    })
    // A timer can fire a millisecond before the clock reaches the end. The wait still counts as complete, and is not repeated.
    if (awaited === "TIMEOUT") end = millisOf(present.at) + pause
    if (awaited !== "TURNED_AWAY") present = yield* read
  }
  const answer: StatusRead = { status: present.status, turned_away: awaited === "TURNED_AWAY" }
  return answer
})

/**
 * Returns the duration of the next wait in milliseconds: until the deadline, or until the clock alone changes the
 * status, whichever is earlier.
 */
const pauseUntil = (application: Application, at: Timestamp, until: number): number => {
  const transition = nextTransition(application, at)
  const end = transition === undefined ? until : Math.min(until, millisOf(transition))
  return Math.max(end - millisOf(at), 1)
}

/** A long poll that waits for a change of an application. */
export interface StatusWaiter {
  /** The subject of the caller. The number of long polls for each caller is limited. */
  readonly subject: string
  readonly application_id: ApplicationId
  /** The stored `version` of the application that the caller already knows. */
  readonly version: number
  /** Maximum time to wait. */
  readonly timeout: Duration.Duration
}

/** The reason why a wait ended. TURNED_AWAY: there was no capacity for another long poll. RELEASED: the node is stopping. */
export type WaitResult = "CHANGED" | "TIMEOUT" | "TURNED_AWAY" | "RELEASED"

/** Waits for changes of applications. A waiting long poll holds no database connection. */
export class StatusWatch extends Context.Service<StatusWatch, {
  /** Waits until the version of the application differs from the waiter's version, or until the timeout expires. */
  readonly wait: (waiter: StatusWaiter) => Effect.Effect<WaitResult>
  /** Ends the waits for this application on this node with CHANGED. Call it after an event was recorded. */
  readonly changed: (id: ApplicationId) => Effect.Effect<void>
  /** Ends all waits and refuses new ones, because the node is stopping. */
  readonly release: Effect.Effect<void>
}>()("@lastro/domain/origination/GetApplicationStatus/StatusWatch") {}
