import { meterFiber } from "@lastro/domain/adapters"
import {
  alarmingFailures,
  failureDelayMs,
  jobName,
  type JobPorts,
  queueOf,
  ReportProblem,
  runJob
} from "@lastro/domain/jobs"
import { TenantMeter } from "@lastro/domain/ports"
import { clockSetBackMs, endWithin, monotonicMillis } from "@lastro/domain/values"
import { Cause, Clock, Duration, Effect, Exit, type Fiber, type Latch, Scope, Semaphore } from "effect"
import { type SqlError } from "effect/sql/SqlError"
import { DatabaseFailure } from "../database/DatabaseFailure.ts"
import { type JobStatements } from "./jobStatements.ts"
import { type LeasedJob, leaseMs } from "./leaseDueJobs.ts"
import { type NodeHealth } from "./NodeHealth.ts"
import { leaveWith, presenceMs, readSchemaAfter, withDeadline } from "./presence.ts"
import { type FreeSlots } from "./readQueues.ts"

const noSlots: FreeSlots = () => 0

export interface WorkerOptions {
  /** Maximum number of concurrent jobs of each queue. */
  readonly maxJobs: number
  /** Maximum pause between two polls for due jobs, in milliseconds. */
  readonly pollMs: number
  /** Opened when a job may be due. The worker then polls at once. */
  readonly wakeUp: Latch.Latch
}

/** Maximum time of one run. A run calls the lender once, with a shorter timeout of its own. */
const runDeadline = Duration.minutes(2)

/** Milliseconds between two renewals of the leases: a third of a lease, so it survives one failed renewal. */
const renewMs = leaseMs / 3

/** Maximum time of the statements that change all waiting jobs after the clock of the database was set back. */
const followDeadline = Duration.minutes(1)

const keyOf = ({ fence, job: { id } }: LeasedJob): string => `${id}/${fence}`

/** Returns the text about a failure for the job table and the log, without personal data. */
const describeFailure = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  if (error instanceof DatabaseFailure) return error.logMessage
  const tag = typeof error === "object" && error !== null && "_tag" in error ? error._tag : undefined
  if (typeof tag === "string") return tag
  return error instanceof Error ? error.name : "defect"
}

/** Runs due jobs until the scope closes. Then releases the jobs that are still running. */
export const startWorker = Effect.fnUntraced(function*(
  statements: JobStatements,
  health: NodeHealth,
  { maxJobs, pollMs, wakeUp }: WorkerOptions
): Effect.fn.Return<void, never, JobPorts | Scope.Scope> {
  const ports = yield* Effect.context<JobPorts>()
  // Background fibers run in a child scope, so they stop after the running jobs were released.
  const scope = yield* Scope.fork(yield* Effect.scope)
  const wake = Effect.asVoid(wakeUp.open)
  const running = new Map<string, { readonly leased: LeasedJob; readonly fiber: Fiber.Fiber<void> }>()

  /** Records one outcome at a time, so that polls and renewals always find a free connection. */
  const recording = yield* Semaphore.make(1)
  const record = <A>(statement: Effect.Effect<A, SqlError>) => recording.withPermit(withDeadline(statement))

  const wakeAfter = (ms: number) =>
    ms >= pollMs ? Effect.void : Effect.asVoid(Effect.forkIn(Effect.andThen(Effect.sleep(ms), wake), scope))

  const freeSlots = (): FreeSlots => {
    const counts = new Map<string, number>()
    for (const { leased: { job } } of running.values()) counts.set(queueOf(job), (counts.get(queueOf(job)) ?? 0) + 1)
    return (queue) => maxJobs - (counts.get(queue) ?? 0)
  }

  /** Records the outcome of a run. If that fails, the lease expires and the job runs again. */
  const settle = (
    leased: LeasedJob,
    exit: Exit.Exit<Effect.Success<ReturnType<typeof runJob>>, unknown>,
    problem: string | null
  ) => {
    const { failures, job } = leased
    const { id, kind } = job
    if (Exit.isSuccess(exit)) {
      const recorded = record(statements.settle(leased, exit.value, problem))
      return exit.value._tag === "DONE" ? recorded : Effect.andThen(recorded, wakeAfter(exit.value.after_ms))
    }
    const failure = describeFailure(exit.cause)
    const log = failures + 1 < alarmingFailures ? Effect.logWarning : Effect.logError
    const after_ms = failureDelayMs(id, failures + 1, kind)
    return Effect.annotateLogs(log("a durable job failed; running it again"), {
      job: jobName(job),
      failures: failures + 1,
      failure
    }).pipe(
      Effect.andThen(record(statements.fail(leased, after_ms, failure))),
      Effect.andThen(wakeAfter(after_ms))
    )
  }

  const runLeased = Effect.fnUntraced(function*(leased: LeasedJob) {
    let problem: string | null = null
    const run = runJob(leased.job, leased.progress, leased.tenancy, leased.traceparent).pipe(
      Effect.provideContext(ports),
      Effect.provideService(ReportProblem, (reported) => {
        problem = reported
      })
    )
    const exit = yield* Effect.exit(endWithin(run, runDeadline, Effect.die(new Error("the run took too long"))))
    yield* settle(leased, exit, problem)
  })

  const runSafely = (leased: LeasedJob) =>
    runLeased(leased).pipe(
      Effect.catchCause((cause) =>
        Effect.logWarning("the outcome of a durable job was not recorded; running it again", cause)
      ),
      Effect.ensuring(Effect.suspend(() => {
        const wasFull = freeSlots()(queueOf(leased.job)) <= 0
        running.delete(keyOf(leased))
        return wasFull ? wake : Effect.void
      }))
    )

  const meter = yield* TenantMeter
  const clock = yield* Clock.Clock

  /** Counts the processor time of a run for the tenant (root) of its application. */
  const countBusy = ({ tenancy: { root } }: LeasedJob, fiber: Fiber.Fiber<void>): void => {
    const readBusy = meterFiber(fiber, () => clock.monotonicTimeNanosUnsafe())
    fiber.addObserver(() =>
      meter.count(Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n), root, { busy_ms: readBusy() })
    )
  }

  /** When this node last renewed its entry in the list of nodes, in monotonic milliseconds. */
  let presenceAt = Number.NEGATIVE_INFINITY

  /** False if this node must not run jobs. */
  const canRunJobs = () => health.isClockRight() && health.isSchemaCompatible()

  /** After the clock of the database was set back, moves the times of waiting jobs, and logs it. */
  const followClock = Effect.flatMap(
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

  const startJob = Effect.fnUntraced(function*(leased: LeasedJob) {
    const fiber = yield* Effect.forkIn(runSafely(leased), scope)
    countBusy(leased, fiber)
    running.set(keyOf(leased), { leased, fiber })
  })

  /** Polls for due jobs and starts them. Returns the time until the next poll. */
  const poll = Effect.gen(function*() {
    const started = yield* monotonicMillis
    const sent_ms = yield* Clock.currentTimeMillis
    const isPresenceDue = started - presenceAt >= presenceMs
    const couldRunJobs = canRunJobs()
    const free = couldRunJobs ? freeSlots() : noSlots
    const round = yield* withDeadline(statements.fetch(free, isPresenceDue ? health.skewMs() : null))
    if (isPresenceDue) presenceAt = started
    yield* health.roundSucceeded({ sent_ms, other_ms: round.database_ms, received_ms: yield* Clock.currentTimeMillis })
    if (round.schema !== null) yield* health.schemaRead(round.schema)
    if (isPresenceDue) yield* health.checkDisk(withDeadline(statements.tryDisk))
    if (!canRunJobs()) {
      if (round.jobs.length > 0) yield* withDeadline(statements.release(round.jobs))
      return pollMs
    }
    if (clockSetBackMs(round.seen_ahead_ms ?? 0, 0) > 0) yield* followClock
    // This poll leased no jobs, because the node could not run them until now. Poll again at once.
    if (!couldRunJobs) return 0
    yield* Effect.forEach(round.jobs, startJob, { discard: true })
    return Math.min(round.next_ms ?? pollMs, pollMs)
  })

  const pollSafely = wakeUp.close.pipe(
    Effect.andThen(poll),
    Effect.catchCause((cause) =>
      Effect.as(Effect.andThen(health.roundFailed(cause), readSchemaAfter(cause, statements, health)), pollMs)
    )
  )
  const pauseUntilNextPoll = (ms: number) => Effect.raceFirst(wakeUp.await, Effect.sleep(ms))
  const polling = Effect.flatMap(pollSafely, pauseUntilNextPoll)

  const renewing = Effect.sleep(renewMs).pipe(
    Effect.andThen(Effect.suspend(() => {
      const held = Array.from(running.values())
      if (held.length === 0) return Effect.void
      return Effect.flatMap(
        withDeadline(statements.renew(held.map(({ leased }) => leased))),
        (kept) =>
          Effect.sync(() => {
            // If the lease was lost, another node runs the job. Interrupt the run, because it would only repeat calls.
            for (const { fiber, leased } of held) {
              if (!kept.has(keyOf(leased)) && running.has(keyOf(leased))) fiber.interruptUnsafe()
            }
          })
      )
    })),
    Effect.catchCause((cause) => Effect.logWarning("the leases of the running jobs were not renewed; retrying", cause))
  )

  /** Releases the running jobs, so that another node runs them at once. Takes at most two seconds. */
  const stop = Effect.suspend(() => {
    const held = Array.from(running.values())
    for (const { fiber } of held) fiber.interruptUnsafe()
    return leaveWith(statements.leave)
  })

  // The first poll completes before the node serves requests. So the node has compared its clock with that of the
  // database.
  const firstPause = yield* pollSafely
  const lookForever = Effect.andThen(pauseUntilNextPoll(firstPause), Effect.forever(polling))
  const loops = yield* Effect.forkScoped(
    Effect.all([lookForever, Effect.forever(renewing)], { concurrency: 2, discard: true })
  )
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      health.stop()
      loops.interruptUnsafe()
    }).pipe(Effect.andThen(stop))
  )
})
