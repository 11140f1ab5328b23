import { Context, type Duration, Effect, Option, Result } from "effect"
import { fieldProblem } from "../input/FieldProblem.ts"
import { parseInteger } from "../input/PageRequest.ts"
import { firstValue, type RawQuery } from "../input/RawQuery.ts"
import { ValidationFailed } from "../input/ValidationFailed.ts"
import { type ApplicationId } from "../values/ids.ts"

/** Maximum duration of a long poll, in seconds. */
export const maxWaitSeconds = 30

/**
 * `wait` is limited to the range from 0 to 30 seconds. Default: 0.
 * @rule WAIT-02
 */
export const parseWait = (query: RawQuery): Result.Result<number, ValidationFailed> => {
  const text = firstValue(query["wait"]) ?? ""
  return text === "" ? Result.succeed(0) : Result.mapBoth(parseInteger(text), {
    onFailure: (problem) => new ValidationFailed({ problems: [fieldProblem("query.wait", problem)] }),
    onSuccess: (seconds) => Math.min(Math.max(seconds, 0), maxWaitSeconds)
  })
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

/** A long poll for anything but a change of an application, such as an event. */
export interface HeldPoll {
  /** The subject of the caller. The number of long polls for each caller is limited. */
  readonly subject: string
  /** Ends the wait with CHANGED when it completes. */
  readonly until: Effect.Effect<void>
  /** Maximum time to wait. */
  readonly timeout: Duration.Duration
}

/**
 * The reason why a wait ended. TURNED_AWAY: there was no capacity for another long poll. RELEASED: the node is
 * stopping.
 */
export type WaitResult = "CHANGED" | "TIMEOUT" | "TURNED_AWAY" | "RELEASED"

/** Waits for changes of applications. A waiting long poll holds no database connection. */
export class StatusWatch extends Context.Service<StatusWatch, {
  /** Waits until the version of the application differs from the waiter's version, or until the timeout expires. */
  readonly wait: (waiter: StatusWaiter) => Effect.Effect<WaitResult>
  /** Waits until an effect completes, or until the timeout expires. Counts as a wait of the caller. */
  readonly hold: (poll: HeldPoll) => Effect.Effect<WaitResult>
  /** Ends the waits for this application on this node with CHANGED. Call it after an event was recorded. */
  readonly changed: (id: ApplicationId) => Effect.Effect<void>
  /** Ends all waits and refuses new ones, because the node is stopping. */
  readonly release: Effect.Effect<void>
}>()("@lastro/domain/ports/StatusWatch") {}

/**
 * Ends the waits for these applications on this node. Other nodes notice the changes themselves. A process without a
 * StatusWatch, such as the command line, has no waits.
 */
export const endWaits = (ids: Iterable<ApplicationId>): Effect.Effect<void> =>
  Effect.flatMap(
    Effect.serviceOption(StatusWatch),
    (watch) => Option.isNone(watch) ? Effect.void : Effect.forEach(ids, watch.value.changed, { discard: true })
  )
