import {
  dueAt,
  failureDelayMs,
  isRemembered,
  type Job,
  jobAnswered,
  jobName,
  type JobOutcome,
  type JobPorts,
  layerJobPorts,
  queueOf,
  ReportProblem,
  runJob
} from "@lastro/domain/jobs"
import { expireApplications } from "@lastro/domain/origination"
import { inTurns, type Tenancy, turnKeys, type WaitingWork } from "@lastro/domain/ports"
import { Clock, Deferred, Effect, Latch, Layer, Option } from "effect"
import { nextExpiryMs } from "./ApplicationRepository.ts"
import { lenderOf, storedKey } from "./DurableWork.ts"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import { alter, put, withoutEntry } from "./MemoryState.ts"
import { type MemoryJob, PendingWork } from "./PendingWork.ts"

/**
 * Returns whether the lender has already answered, so that the job only polls. The outcome is then WAIT, a retry after an
 * answer (attempt 0), a PENDING quote (`lender_state`), or the cancellation of an unwanted contract.
 */
const isWaiting = (outcome: Exclude<JobOutcome, { readonly _tag: "DONE" }>): boolean =>
  outcome._tag === "WAIT" || outcome.progress.attempt === 0 ||
  (outcome.progress.lender_state ?? outcome.progress.unwanted_reference ?? null) !== null

const isPending = ({ waiting }: MemoryJob): boolean => !waiting

/** Makes the functions that run stored jobs. */
const makeJobs = Effect.gen(function*() {
  const { state, update } = yield* MemoryDatabase
  const ports = yield* Effect.context<JobPorts>()

  /**
   * Stores the outcome of a run, unless the job was started again during the run. A `lender_state` from a callback takes
   * precedence. The callback arrived during the run, or before the run returned its key.
   */
  const settle = Effect.fnUntraced(function*(
    { job, progress, starts, wakes }: MemoryJob,
    outcome: JobOutcome,
    last_error: string | null
  ) {
    const at = yield* Clock.currentTimeMillis
    return yield* update((now) => {
      const name = jobName(job)
      const present = now.work.get(name)
      if (present === undefined) return now
      if (present.starts !== starts) return put(now, "work", name, { ...present, running: false })
      if (outcome._tag === "DONE") return { ...now, work: withoutEntry(now.work, name) }
      const next = outcome._tag === "WAIT" ? jobAnswered : outcome.progress
      const { lender_state = null } = present.progress
      const { callback_key = null } = next
      const isNewKey = callback_key !== null && callback_key !== progress.callback_key
      const early = isNewKey ? now.callbacks.get(storedKey(callback_key, lenderOf(job))) : undefined
      const callback = early !== undefined && isRemembered(early.called_at, at) ? early : null
      const isReplaced = lender_state !== (progress.lender_state ?? null)
      const newState = isReplaced ? lender_state : callback?.lender_state ?? null
      const isDue = callback !== null || present.wakes !== wakes
      const stored: MemoryJob = {
        ...present,
        waiting: !isDue && isWaiting(outcome),
        progress: newState === null ? next : { ...next, lender_state: newState },
        ...(callback === null
          ? {}
          : { wakes: present.wakes + 1, woken_at: dueAt(present.woken_at, at) ?? present.woken_at }),
        due_at: isDue ? at : at + outcome.after_ms,
        running: false,
        failures: 0,
        last_error
      }
      return put(now, "work", name, stored)
    })
  })

  const replace = (job: Job, change: (present: MemoryJob) => MemoryJob) =>
    update((now) => alter(now, "work", jobName(job), change))

  const find = (job: Job) => Effect.map(state, ({ work }) => Option.fromUndefinedOr(work.get(jobName(job))))
  const stored = (matches: (stored: MemoryJob) => boolean) =>
    Effect.map(state, ({ work }) => Array.from(work.values()).filter(matches))

  /** Runs a job once. The in-memory database is never busy, but a port can fail. A failed run changes nothing. */
  const run = Effect.fnUntraced(function*(leased: MemoryJob) {
    let problem: string | null = null
    yield* replace(leased.job, (present) => ({ ...present, running: true }))
    const { job, progress, tenancy, traceparent } = leased
    const runOnce = Effect.orDie(runJob(job, progress, tenancy, traceparent)).pipe(
      Effect.provideContext(ports),
      Effect.provideService(ReportProblem, (reported) => {
        problem = reported
      })
    )
    const outcome = yield* Effect.onError(runOnce, () =>
      replace(leased.job, ({ failures, ...present }) => ({
        ...present,
        running: false,
        failures: failures + 1,
        last_error: "defect"
      })))
    yield* settle(leased, outcome, problem)
    return outcome
  })

  return {
    find,
    run,
    stored,
    pending: Effect.map(stored(isPending), (all) => all.map(({ job }) => job)),
    /**
     * Appends the events of expired applications. Without such applications, calls no port, so that no injected fault
     * is used up. Returns the milliseconds until the next application expires.
     */
    expire: Effect.gen(function*() {
      const at = yield* Clock.currentTimeMillis
      const untilNext = Effect.map(state, (now) => nextExpiryMs(now) - at)
      const early = yield* untilNext
      if (early > 0) return early
      yield* Effect.provideContext(Effect.orDie(expireApplications()), ports)
      return yield* untilNext
    }),
    poll: Effect.gen(function*() {
      const waiting = yield* stored(({ waiting }) => waiting)
      yield* Effect.forEach(waiting, run, { discard: true })
      return waiting.length
    })
  }
})

/** Runs stored jobs only when a test runs them with {@link PendingWork}. */
const runnerByHand = Effect.map(makeJobs, ({ expire, pending, poll, run, stored }) => {
  const finish = Effect.gen(function*() {
    for (;;) {
      const [first] = yield* stored(isPending)
      if (first === undefined) break
      const outcome = yield* run(first)
      if (outcome._tag === "RETRY" && !isWaiting(outcome)) yield* Effect.sleep(outcome.after_ms)
    }
    yield* expire
  })
  return PendingWork.of({ pending, finish, poll })
})

interface WaitingJob extends WaitingWork {
  readonly started: Deferred.Deferred<void>
}

/**
 * Makes the slots of one queue. A job waits for a slot until its turn (TURN-01), and holds the slot until its scope
 * closes.
 */
const makeSlots = (count: number) => {
  let waiting: ReadonlyArray<WaitingJob> = []
  let running: ReadonlyArray<Tenancy> = []
  let served: ReadonlyArray<string> = []
  const startNext = (): void => {
    const [next] = running.length < count ? inTurns(waiting, { running, served }, 1) : []
    if (next === undefined) return
    const keys = turnKeys(next)
    waiting = waiting.filter((entry) => entry !== next)
    running = [...running, next]
    served = [...served.filter((key) => !keys.includes(key)), ...keys]
    Deferred.doneUnsafe(next.started, Effect.void)
    startNext()
  }
  const enter = (tenancy: Tenancy, since: number): WaitingJob => {
    const entry = { ...tenancy, since, started: Deferred.makeUnsafe<void>() }
    waiting = [...waiting, entry]
    startNext()
    return entry
  }
  const leave = (entry: WaitingJob) => {
    waiting = waiting.filter((other) => other !== entry)
    running = running.filter((other) => other !== entry)
    startNext()
  }
  return ({ due_at, tenancy }: MemoryJob) =>
    Effect.flatMap(
      Effect.acquireRelease(
        Effect.sync(() => enter(tenancy, due_at)),
        (entry) => Effect.sync(() => leave(entry))
      ),
      ({ started }) => Deferred.await(started)
    )
}

/** Options of the runner of the in-memory jobs. */
export interface MemoryRunnerOptions {
  /** Maximum number of concurrent jobs in each queue. Default: unlimited. */
  readonly maxJobs?: number
}

/** The pause after a failure to record expired applications, in milliseconds. */
const expiryRetryMs = 5_000

/** The maximum pause before the next search for expired applications, in milliseconds. */
const longestPauseMs = 3_600_000

/**
 * Runs stored jobs when the transaction that stores them commits, each in a fiber of its own. Appends the events of
 * applications when they expire.
 */
const runnerOnCommit = Effect.fnUntraced(function*({ maxJobs = Infinity }: MemoryRunnerOptions) {
  const { opensOnCommit } = yield* MemoryDatabase
  const { expire, find, pending, poll, run, stored } = yield* makeJobs
  const scope = yield* Effect.scope
  const committed = Latch.makeUnsafe(true)
  yield* opensOnCommit(committed)
  /** The jobs that have a fiber, each with a latch that ends its pause. */
  const running = new Map<string, { readonly wake: Latch.Latch; starts: number; wakes: number }>()
  const slots = new Map<string, ReturnType<typeof makeSlots>>()
  const slotsOf = (job: Job) => {
    const ofQueue = slots.get(queueOf(job)) ?? makeSlots(maxJobs)
    slots.set(queueOf(job), ofQueue)
    return ofQueue
  }

  /** Runs a job until it ends, with sleeps between its runs. Repeats a failed run. */
  const runToEnd = Effect.fnUntraced(function*(job: Job, wake: Latch.Latch) {
    let failures = 0
    let woken = 0
    for (;;) {
      // The latch is closed before the job is read, so that a later start opens it again and ends the next pause.
      yield* wake.close
      const leased = yield* find(job)
      if (Option.isNone(leased)) break
      const early_ms = (leased.value.woken_at ?? 0) - (yield* Clock.currentTimeMillis)
      if (early_ms > 0 && leased.value.wakes > woken) yield* Effect.sleep(early_ms)
      woken = leased.value.wakes
      const runInSlot = Effect.scoped(Effect.andThen(slotsOf(job)(leased.value), run(leased.value)))
      const delay = yield* Effect.matchCauseEffect(runInSlot, {
        onFailure: (cause) =>
          Effect.as(Effect.logError("In-memory job failed", cause), failureDelayMs(job.id, ++failures, job.kind)),
        onSuccess: (outcome) => {
          failures = 0
          return Effect.succeed(outcome._tag === "DONE" ? 0 : outcome.after_ms)
        }
      })
      // The operator can have ended the job during the run.
      if (Option.isSome(yield* find(job))) yield* Effect.raceFirst(wake.await, Effect.sleep(delay))
    }
    running.delete(jobName(job))
    // The job can have been started again after this fiber found it ended.
    yield* committed.open
  })

  const startOrWake = Effect.fnUntraced(function*({ job, starts, wakes }: MemoryJob) {
    const present = running.get(jobName(job))
    if (present !== undefined) {
      if (present.starts === starts && present.wakes === wakes) return
      Object.assign(present, { starts, wakes })
      return yield* Effect.asVoid(present.wake.open)
    }
    const wake = Latch.makeUnsafe()
    running.set(jobName(job), { wake, starts, wakes })
    yield* Effect.forkIn(runToEnd(job, wake), scope)
  })
  const startAll = Effect.flatMap(
    stored(() => true),
    (all) => Effect.forEach(all, startOrWake, { discard: true })
  )
  yield* Effect.forkScoped(
    Effect.forever(committed.await.pipe(Effect.andThen(committed.close), Effect.andThen(startAll)))
  )

  const offersChanged = Latch.makeUnsafe()
  yield* opensOnCommit(offersChanged)
  const expireDue = Effect.catchCause(
    expire,
    (cause) => Effect.as(Effect.logError("The expiry of applications was not recorded; retrying", cause), expiryRetryMs)
  )
  yield* Effect.forkScoped(Effect.forever(Effect.gen(function*() {
    yield* offersChanged.close
    const pause = yield* expireDue
    const due = pause === Infinity ? Effect.never : Effect.sleep(Math.min(pause, longestPauseMs))
    yield* Effect.raceFirst(offersChanged.await, due)
  })))

  const finish = Effect.scoped(Effect.gen(function*() {
    const changed = Latch.makeUnsafe()
    yield* opensOnCommit(changed)
    while ((yield* pending).length > 0) {
      yield* changed.await
      yield* changed.close
    }
  }))
  return PendingWork.of({ pending, finish: Effect.asVoid(Effect.andThen(finish, expire)), poll })
})

/** Runs jobs only when a test runs them with {@link PendingWork}. */
export const layerByHand = Layer.merge(Layer.effect(PendingWork, runnerByHand), layerJobPorts)

/** Runs jobs when the transaction that starts them commits. */
export const layerOnCommitWith = (options: MemoryRunnerOptions) =>
  Layer.merge(Layer.effect(PendingWork, runnerOnCommit(options)), layerJobPorts)

/** Runs jobs when the transaction that starts them commits, all at the same time. */
export const layerOnCommit = layerOnCommitWith({})
