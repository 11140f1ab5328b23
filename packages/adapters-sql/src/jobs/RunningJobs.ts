import { meterFiber } from "@lastro/domain/adapters"
import {
  alarmingFailures,
  failureDelayMs,
  jobName,
  type JobOutcome,
  type JobPorts,
  queueOf,
  ReportProblem,
  runJob
} from "@lastro/domain/jobs"
import { TenantMeter } from "@lastro/domain/ports"
import { endWithin } from "@lastro/domain/values"
import { Cause, Clock, Duration, Effect, Exit, type Fiber, type Scope, Semaphore } from "effect"
import { type SqlError } from "effect/sql/SqlError"
import { DatabaseFailure } from "../database/DatabaseFailure.ts"
import { type JobStatements } from "./jobStatements.ts"
import { type LeasedJob } from "./leaseDueJobs.ts"
import { withDeadline } from "./presence.ts"
import { type FreeSlots } from "./readQueues.ts"

/** Maximum time of one run. A run calls the lender once, with a shorter timeout of its own. */
const runDeadline = Duration.minutes(2)

const keyOf = ({ fence, job: { id } }: LeasedJob): string => `${id}/${fence}`

/** Returns the text about a failure for the job table and the log, without personal data. */
const describeFailure = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  if (error instanceof DatabaseFailure) return error.logMessage
  const tag = typeof error === "object" && error !== null && "_tag" in error ? error._tag : undefined
  if (typeof tag === "string") return tag
  return error instanceof Error ? error.name : "defect"
}

interface RunningJob {
  readonly leased: LeasedJob
  readonly fiber: Fiber.Fiber<void>
}

/** The jobs that this node runs. */
export interface RunningJobs {
  /** Returns how many more jobs of each queue can run. */
  readonly freeSlots: () => FreeSlots
  /** Starts the run of a job on a fiber of its own. */
  readonly start: (leased: LeasedJob) => Effect.Effect<void>
  /** Renews the leases. Interrupts the runs of jobs whose lease was lost. */
  readonly renew: Effect.Effect<void, SqlError | Cause.TimeoutError>
  /** Interrupts all runs, without waiting for their end. */
  readonly interrupt: () => void
}

interface RunOptions {
  readonly statements: JobStatements
  /** Maximum number of concurrent jobs of each queue. */
  readonly maxJobs: number
  /** Makes the worker poll at once. */
  readonly wake: Effect.Effect<void>
  /** Makes the worker poll after this time in milliseconds, if it would poll later otherwise. */
  readonly wakeAfter: (ms: number) => Effect.Effect<void>
  /** The scope of the fibers of the runs. */
  readonly scope: Scope.Scope
}

/** Returns a function that records the outcome of a run. If that fails, the lease expires and the job runs again. */
const makeSettle = Effect.fnUntraced(
  function*({ statements, wakeAfter }: Pick<RunOptions, "statements" | "wakeAfter">) {
    // One outcome is recorded at a time, so that polls and renewals always find a free connection.
    const recording = yield* Semaphore.make(1)
    const record = <A>(statement: Effect.Effect<A, SqlError>) => recording.withPermit(withDeadline(statement))

    const settleOutcome = (leased: LeasedJob, outcome: JobOutcome, problem: string | null) => {
      const recorded = record(statements.settle(leased, outcome, problem))
      return outcome._tag === "DONE" ? recorded : Effect.andThen(recorded, wakeAfter(outcome.after_ms))
    }

    const settleFailure = (leased: LeasedJob, cause: Cause.Cause<unknown>) => {
      const { job } = leased
      const failures = leased.failures + 1
      const failure = describeFailure(cause)
      const log = failures < alarmingFailures ? Effect.logWarning : Effect.logError
      const after_ms = failureDelayMs(job.id, failures, job.kind)
      return Effect.annotateLogs(log("a durable job failed; running it again"), {
        job: jobName(job),
        failures,
        failure
      }).pipe(
        Effect.andThen(record(statements.fail(leased, after_ms, failure))),
        Effect.andThen(wakeAfter(after_ms))
      )
    }

    return (leased: LeasedJob, exit: Exit.Exit<JobOutcome, unknown>, problem: string | null) =>
      Exit.isSuccess(exit) ? settleOutcome(leased, exit.value, problem) : settleFailure(leased, exit.cause)
  }
)

/** Returns a function that runs a job and records its outcome. Never fails. */
const makeRun = Effect.fnUntraced(function*(options: RunOptions) {
  const ports = yield* Effect.context<JobPorts>()
  const settle = yield* makeSettle(options)

  const runAndSettle = Effect.fnUntraced(function*(leased: LeasedJob) {
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

  return (leased: LeasedJob) =>
    Effect.catchCause(
      runAndSettle(leased),
      (cause) => Effect.logWarning("the outcome of a durable job was not recorded; running it again", cause)
    )
})

/** Makes a function that counts the processor time of a run for the tenant (root) of its application. */
const makeCountBusy = Effect.gen(function*() {
  const meter = yield* TenantMeter
  const clock = yield* Clock.Clock
  return ({ tenancy: { root } }: LeasedJob, fiber: Fiber.Fiber<void>): void => {
    const readBusy = meterFiber(fiber, () => clock.monotonicTimeNanosUnsafe())
    fiber.addObserver(() =>
      meter.count(Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n), root, { busy_ms: readBusy() })
    )
  }
})

/** Makes the running jobs of a node. There are none yet. */
export const makeRunningJobs = Effect.fnUntraced(
  function*(options: RunOptions): Effect.fn.Return<RunningJobs, never, JobPorts> {
    const { maxJobs, scope, statements, wake } = options
    const run = yield* makeRun(options)
    const countBusy = yield* makeCountBusy
    const running = new Map<string, RunningJob>()

    const freeSlots = (): FreeSlots => {
      const counts = new Map<string, number>()
      for (const { leased: { job } } of running.values()) {
        const queue = queueOf(job)
        counts.set(queue, (counts.get(queue) ?? 0) + 1)
      }
      return (queue) => maxJobs - (counts.get(queue) ?? 0)
    }

    const remove = (leased: LeasedJob) =>
      Effect.suspend(() => {
        const wasFull = freeSlots()(queueOf(leased.job)) <= 0
        running.delete(keyOf(leased))
        return wasFull ? wake : Effect.void
      })

    const interruptLost = (held: ReadonlyArray<RunningJob>, kept: ReadonlySet<string>): void => {
      for (const { fiber, leased } of held) {
        const key = keyOf(leased)
        // Another node runs the job now. This run would only repeat calls.
        if (!kept.has(key) && running.has(key)) fiber.interruptUnsafe()
      }
    }

    return {
      freeSlots,
      start: Effect.fnUntraced(function*(leased) {
        const fiber = yield* Effect.forkIn(Effect.ensuring(run(leased), remove(leased)), scope)
        countBusy(leased, fiber)
        running.set(keyOf(leased), { leased, fiber })
      }),
      renew: Effect.suspend(() => {
        const held = Array.from(running.values())
        if (held.length === 0) return Effect.void
        const renewed = withDeadline(statements.renew(held.map(({ leased }) => leased)))
        return Effect.map(renewed, (kept) => interruptLost(held, kept))
      }),
      interrupt: () => running.forEach(({ fiber }) => fiber.interruptUnsafe())
    }
  }
)
