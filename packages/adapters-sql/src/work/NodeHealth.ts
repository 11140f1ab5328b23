import { type ClockReading, clockSkewMs, isClockRight, monotonicMillis } from "@lastro/domain/time"
import { type Cause, Effect } from "effect"

/**
 * A node is not able to work if no look for jobs succeeded for this time. It is longer than the deadline of a statement
 * plus the pause between two looks.
 */
const longestSilenceMs = 7_000

/** The largest difference of clocks that the list of nodes stores: 24 days. */
const maxStoredSkewMs = 24 * 86_400_000

/** The health of a node. The worker updates it, and the readiness check reads it. */
export interface NodeHealth {
  /** Records that the database answered and accepted a write, with a reading of its clock. */
  readonly roundSucceeded: (reading: ClockReading) => Effect.Effect<void>
  /** Records that a look for jobs failed. Logs the first failure of an outage. */
  readonly roundFailed: (cause: Cause.Cause<unknown>) => Effect.Effect<void>
  /** By how many milliseconds the clock of this node is ahead of the clock of the database. */
  readonly skewMs: () => number
  /**
   * False if the clock of this node differs too much from the clock of the database (rule JOB-03), or has not been compared
   * with it yet.
   */
  readonly isClockRight: () => boolean
  /** Records that the node stops. */
  readonly stop: () => void
  /** The reason why this node cannot work, or null if it can. */
  readonly problem: Effect.Effect<string | null>
}

/** Creates the health of a node that has not reached the database yet. */
export const makeNodeHealth = (): NodeHealth => {
  let succeededAt: number | undefined
  let isFailing = false
  let skew: number | undefined
  let stopping = false

  const logRecovery = Effect.suspend(() => {
    if (!isFailing) return Effect.void
    isFailing = false
    return Effect.logInfo("the database answers again; running durable jobs")
  })

  const setSkew = (skew_ms: number) => {
    const wasWrong = skew !== undefined && !isClockRight(skew)
    skew = skew_ms
    const isWrong = !isClockRight(skew_ms)
    if (isWrong === wasWrong) return Effect.void
    return isWrong
      ? Effect.annotateLogs(
        Effect.logError(
          "the clock of this node differs from the clock of the database; not ready, and running no jobs"
        ),
        { clock_ahead_ms: Math.round(skew_ms) }
      )
      : Effect.logInfo("the clock of this node is right again; running durable jobs")
  }

  return {
    roundSucceeded: (reading) =>
      Effect.gen(function*() {
        succeededAt = yield* monotonicMillis
        yield* logRecovery
        yield* setSkew(clockSkewMs(reading))
      }),
    roundFailed: (cause) =>
      Effect.suspend(() => {
        if (isFailing) return Effect.void
        isFailing = true
        return Effect.logWarning("looking for durable jobs failed; retrying every second", cause)
      }),
    skewMs: () => Math.round(Math.min(Math.max(skew ?? 0, -maxStoredSkewMs), maxStoredSkewMs)),
    isClockRight: () => skew !== undefined && isClockRight(skew),
    stop: () => {
      stopping = true
    },
    problem: Effect.map(monotonicMillis, (now) => {
      if (stopping) return "the node is stopping"
      if (succeededAt === undefined || skew === undefined) return "the node has not reached the database yet"
      const silent_ms = now - succeededAt
      if (silent_ms > longestSilenceMs) {
        return `the database has accepted no write of this node for ${Math.round(silent_ms / 1_000)} s`
      }
      return isClockRight(skew)
        ? null
        : `the clock of this node is ${Math.abs(Math.round(skew / 1_000))} s ${
          skew > 0 ? "ahead of" : "behind"
        } the clock of the database`
    })
  }
}
