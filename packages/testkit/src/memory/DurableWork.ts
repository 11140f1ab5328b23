import { type AuditLog } from "@lastro/domain/audit"
import { type IdGenerator } from "@lastro/domain/id"
import { type Lender } from "@lastro/domain/lender"
import {
  type ApplicationRepository,
  DurableWork,
  failureDelayMs,
  type Job,
  jobAnswered,
  jobName,
  type JobOutcome,
  jobStarted,
  runJob,
  type StatusWatch
} from "@lastro/domain/origination"
import { type UnitOfWork } from "@lastro/domain/transaction"
import { Context, Effect, Latch, Layer, Option, Result } from "effect"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import { withEntry, withoutEntry } from "./MemoryState.ts"
import { PendingWork, type StoredJob } from "./PendingWork.ts"

/** The ports that durable jobs use. */
type JobPorts = ApplicationRepository | AuditLog | IdGenerator | Lender | StatusWatch | UnitOfWork

const isPending = ({ waiting }: StoredJob): boolean => !waiting

/** Stores jobs in the current transaction, and runs them. */
const makeJobs = Effect.gen(function*() {
  const { change, state } = yield* MemoryDatabase
  const ports = yield* Effect.context<JobPorts>()

  const start = (job: Job) =>
    change((now) => {
      const starts = (now.work.get(jobName(job))?.starts ?? 0) + 1
      const stored: StoredJob = { job, progress: jobStarted, waiting: false, starts }
      return Result.succeed({ ...now, work: withEntry(now.work, jobName(job), stored) })
    })

  /** Stores the outcome of a run, unless the job was started again during the run. */
  const settle = ({ job, starts }: StoredJob, outcome: JobOutcome) =>
    change((now) => {
      const name = jobName(job)
      if (now.work.get(name)?.starts !== starts) return Result.succeed(now)
      if (outcome._tag === "DONE") return Result.succeed({ ...now, work: withoutEntry(now.work, name) })
      const waiting = outcome._tag === "WAIT"
      const stored = { job, starts, waiting, progress: waiting ? jobAnswered : outcome.progress }
      return Result.succeed({ ...now, work: withEntry(now.work, name, stored) })
    })

  const find = (job: Job) => Effect.map(state, ({ work }) => Option.fromUndefinedOr(work.get(jobName(job))))
  const stored = (matches: (one: StoredJob) => boolean) =>
    Effect.map(state, ({ work }) => Array.from(work.values()).filter(matches))

  /** Runs a job once. The in-memory database is never busy, but a port may fail: a failed run changes nothing. */
  const run = Effect.fnUntraced(function*(one: StoredJob) {
    const outcome = yield* Effect.provideContext(Effect.orDie(runJob(one.job, one.progress)), ports)
    yield* settle(one, outcome)
    return outcome
  })

  return {
    durable: DurableWork.of({
      startQuote: (id) => start({ kind: "quote", id }),
      startContract: (id) => start({ kind: "contract", id })
    }),
    find,
    run,
    stored,
    pending: Effect.map(stored(isPending), (all) => all.map(({ job }) => job)),
    poll: Effect.gen(function*() {
      const waiting = yield* stored(({ waiting }) => waiting)
      yield* Effect.forEach(waiting, run, { discard: true })
      return waiting.length
    })
  }
})

/** Durable jobs that run only when a test runs them with {@link PendingWork}. */
export const layerByHand = Layer.effectContext(Effect.map(makeJobs, ({ durable, pending, poll, run, stored }) => {
  const finish: Effect.Effect<void> = Effect.flatMap(
    stored(isPending),
    ([first]) =>
      first === undefined
        ? Effect.void
        : Effect.flatMap(run(first), (outcome) =>
          outcome._tag === "RETRY"
            ? Effect.andThen(Effect.sleep(outcome.after_ms), Effect.suspend(() => finish))
            : Effect.suspend(() => finish))
  )
  return Context.make(DurableWork, durable).pipe(Context.add(PendingWork, PendingWork.of({ pending, finish, poll })))
}))

/** Durable jobs that start when their transaction commits, each in its own fiber. */
export const layer = Layer.effectContext(Effect.gen(function*() {
  const { opensOnCommit } = yield* MemoryDatabase
  const { durable, find, pending, poll, run, stored } = yield* makeJobs
  const scope = yield* Effect.scope
  const committed = Latch.makeUnsafe(true)
  yield* opensOnCommit(committed)
  /** The jobs that have a fiber, each with a latch that ends its pause. */
  const running = new Map<string, { readonly wake: Latch.Latch; starts: number }>()

  /** Runs a job until it ends, and sleeps between its runs. A failed run is repeated. */
  const runToEnd = Effect.fnUntraced(function*(job: Job, wake: Latch.Latch) {
    for (let failures = 0;;) {
      // The latch closes before the job is read. A start after that opens it again, and ends the next pause.
      yield* wake.close
      const one = yield* find(job)
      if (Option.isNone(one)) break
      const delay = yield* Effect.matchCauseEffect(run(one.value), {
        onFailure: (cause) =>
          Effect.as(Effect.logError("In-memory job failed", cause), failureDelayMs(job.id, ++failures)),
        onSuccess: (outcome) => {
          failures = 0
          return Effect.succeed(outcome._tag === "DONE" ? 0 : outcome.after_ms)
        }
      })
      yield* Effect.raceFirst(wake.await, Effect.sleep(delay))
    }
    running.delete(jobName(job))
    // The job may have been started again after it was found to have ended.
    yield* committed.open
  })

  const startOrWake = Effect.fnUntraced(function*({ job, starts }: StoredJob) {
    const present = running.get(jobName(job))
    if (present !== undefined) {
      if (present.starts === starts) return
      present.starts = starts
      return yield* Effect.asVoid(present.wake.open)
    }
    const wake = Latch.makeUnsafe()
    running.set(jobName(job), { wake, starts })
    yield* Effect.forkIn(runToEnd(job, wake), scope)
  })
  const startAll = Effect.flatMap(
    stored(() => true),
    (all) => Effect.forEach(all, startOrWake, { discard: true })
  )
  yield* Effect.forkScoped(
    Effect.forever(committed.await.pipe(Effect.andThen(committed.close), Effect.andThen(startAll)))
  )

  const finish = Effect.scoped(Effect.gen(function*() {
    const changed = Latch.makeUnsafe()
    yield* opensOnCommit(changed)
    while ((yield* pending).length > 0) {
      yield* changed.await
      yield* changed.close
    }
  }))
  return Context.make(DurableWork, durable).pipe(Context.add(PendingWork, PendingWork.of({ pending, finish, poll })))
}))
