import { type JobPorts } from "@lastro/domain/jobs"
import { clockSetBackMs, endWithin, monotonicMillis } from "@lastro/domain/values"
import { Cause, Clock, Duration, Effect, type Latch, Scope } from "effect"
import { type JobStatements } from "./jobStatements.ts"
import { leaseMs } from "./leaseDueJobs.ts"
import { type NodeHealth } from "./NodeHealth.ts"
import { leaveWith, presenceMs, readSchemaAfter, withDeadline } from "./presence.ts"
import { type FreeSlots } from "./readQueues.ts"
import { makeRunningJobs, type RunningJobs } from "./RunningJobs.ts"

const noSlots: FreeSlots = () => 0

interface WorkerOptions {
  /** Maximum number of concurrent jobs of each queue. */
  readonly maxJobs: number
  /** Maximum pause between two polls for due jobs, in milliseconds. */
  readonly pollMs: number
  /** Opened when a job may be due. The worker then polls at once. */
  readonly wakeUp: Latch.Latch
}

/** Milliseconds between two renewals of the leases: a third of a lease, so it survives one failed renewal. */
const renewMs = leaseMs / 3

/** Maximum time of the statements that change all waiting jobs after the clock of the database was set back. */
const followDeadline = Duration.minutes(1)

/** After the clock of the database was set back, moves the times of waiting jobs, and logs it. */
const makeFollowClock = (statements: JobStatements, wake: Effect.Effect<void>) =>
  Effect.flatMap(
    endWithin(statements.followClock, followDeadline, Effect.fail(new Cause.TimeoutError("the jobs are too many"))),
    (by_ms) =>
      by_ms === 0 ? Effect.void : Effect.andThen(
        Effect.annotateLogs(
          Effect.logWarning("the clock of the database was set back; waiting jobs are due earlier by that time"),
          { set_back_ms: Math.round(by_ms) }
        ),
        wake
      )
  )

interface PollOptions {
  readonly statements: JobStatements
  readonly health: NodeHealth
  readonly jobs: RunningJobs
  readonly pollMs: number
  readonly wake: Effect.Effect<void>
}

/** Returns an effect that polls for due jobs and starts them. It returns the milliseconds until the next poll. */
const makePoll = ({ health, jobs, pollMs, statements, wake }: PollOptions) => {
  /** The time of the last renewal of this node's entry in the list of nodes, in monotonic milliseconds. */
  let presenceAt = Number.NEGATIVE_INFINITY
  const canRunJobs = () => health.isClockRight() && health.isSchemaCompatible()
  const followClock = makeFollowClock(statements, wake)

  return Effect.gen(function*() {
    const started = yield* monotonicMillis
    const sent_ms = yield* Clock.currentTimeMillis
    const isPresenceDue = started - presenceAt >= presenceMs
    const couldRunJobs = canRunJobs()
    const free = couldRunJobs ? jobs.freeSlots() : noSlots
    const polled = yield* withDeadline(statements.fetch(free, isPresenceDue ? health.skewMs() : null))
    if (isPresenceDue) presenceAt = started
    yield* health.pollSucceeded({ sent_ms, other_ms: polled.database_ms, received_ms: yield* Clock.currentTimeMillis })
    if (polled.schema !== null) yield* health.schemaRead(polled.schema)
    if (isPresenceDue) yield* health.checkDisk(withDeadline(statements.tryDisk))
    if (!canRunJobs()) {
      if (polled.jobs.length > 0) yield* withDeadline(statements.release(polled.jobs))
      return pollMs
    }
    if (clockSetBackMs(polled.seen_ahead_ms ?? 0, 0) > 0) yield* followClock
    // This poll leased no jobs, because the node could not run them until now. Poll again at once.
    if (!couldRunJobs) return 0
    yield* Effect.forEach(polled.jobs, jobs.start, { discard: true })
    return Math.min(polled.next_ms ?? pollMs, pollMs)
  })
}

/** Runs due jobs until the scope closes. Then releases the jobs that are still running. */
export const startWorker = Effect.fnUntraced(function*(
  statements: JobStatements,
  health: NodeHealth,
  { maxJobs, pollMs, wakeUp }: WorkerOptions
): Effect.fn.Return<void, never, JobPorts | Scope.Scope> {
  // Background fibers run in a child scope, so they stop after the running jobs were released.
  const scope = yield* Scope.fork(yield* Effect.scope)
  const wake = Effect.asVoid(wakeUp.open)
  const wakeAfter = (ms: number) =>
    ms >= pollMs ? Effect.void : Effect.asVoid(Effect.forkIn(Effect.andThen(Effect.sleep(ms), wake), scope))
  const jobs = yield* makeRunningJobs({ statements, maxJobs, wake, wakeAfter, scope })

  const poll = makePoll({ statements, health, jobs, pollMs, wake })
  const afterFailedPoll = (cause: Cause.Cause<unknown>) =>
    Effect.as(Effect.andThen(health.pollFailed(cause), readSchemaAfter(cause, statements, health)), pollMs)
  const pollSafely = wakeUp.close.pipe(Effect.andThen(poll), Effect.catchCause(afterFailedPoll))
  const pauseUntilNextPoll = (ms: number) => Effect.raceFirst(wakeUp.await, Effect.sleep(ms))

  const renewAfterPause = Effect.catchCause(
    Effect.andThen(Effect.sleep(renewMs), jobs.renew),
    (cause) => Effect.logWarning("the leases of the running jobs were not renewed; retrying", cause)
  )

  // The first poll completes before the node serves requests. So the node has compared its clock with that of the
  // database.
  const firstPause = yield* pollSafely
  const pollForever = Effect.andThen(
    pauseUntilNextPoll(firstPause),
    Effect.forever(Effect.flatMap(pollSafely, pauseUntilNextPoll))
  )
  const loops = yield* Effect.forkScoped(
    Effect.all([pollForever, Effect.forever(renewAfterPause)], { concurrency: 2, discard: true })
  )

  // Another node can run the released jobs at once. Takes at most two seconds.
  yield* Effect.addFinalizer(() =>
    Effect.suspend(() => {
      health.stop()
      loops.interruptUnsafe()
      jobs.interrupt()
      return leaveWith(statements.leave)
    })
  )
})
