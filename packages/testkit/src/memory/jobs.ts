import {
  dueAt,
  failureDelayMs,
  isRemembered,
  type Job,
  jobAnswered,
  type JobKey,
  jobName,
  type JobOutcome,
  type JobPorts,
  jobStarted,
  layerJobPorts,
  ReportProblem,
  runJob,
  type StoredJob,
  StoredJobs
} from "@lastro/domain/jobs"
import { DurableWork, expireApplications, type JobTarget } from "@lastro/domain/origination"
import { currentTimestamp, timestampOf } from "@lastro/domain/values"
import { Clock, Effect, Latch, Layer, Option, Order } from "effect"
import { isAnyExpired } from "./ApplicationRepository.ts"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import { alter, put, withoutEntry } from "./MemoryState.ts"
import { type MemoryJob, PendingWork, type StoredCallback } from "./PendingWork.ts"

/** Returns whether a job waits for a long process at the lender: a contract, or a quote that the lender answered with PENDING. */
const isWaiting = (outcome: Exclude<JobOutcome, { readonly _tag: "DONE" }>): boolean =>
  outcome._tag === "WAIT" || outcome.progress.attempt === 0 ||
  (outcome.progress.lender_state ?? outcome.progress.unwanted_reference ?? null) !== null

const matches = ({ job, progress }: MemoryJob, target: JobTarget): boolean =>
  job.kind === target.kind && ("id" in target ? job.id === target.id : progress.callback_key === target.callback_key)

/** Stores the callback if its target has a callback key. Removes the stored callbacks that are too old to be used. */
const withCallback = (
  callbacks: ReadonlyMap<string, StoredCallback>,
  target: JobTarget,
  at: number
): ReadonlyMap<string, StoredCallback> => {
  if (!("callback_key" in target)) return callbacks
  const { callback_key, lender_state = callbacks.get(callback_key)?.lender_state ?? null } = target
  const kept = Array.from(callbacks).filter(([, { called_at }]) => isRemembered(called_at, at))
  return new Map(kept).set(callback_key, { lender_state, called_at: at })
}

const isPending = ({ waiting }: MemoryJob): boolean => !waiting

/** Stores jobs in the current transaction. */
export const layerDurableWork = Layer.effect(
  DurableWork,
  Effect.gen(function*() {
    const { update } = yield* MemoryDatabase
    let lastStart = 0

    const start = Effect.fnUntraced(function*(job: Job) {
      const at = yield* Clock.currentTimeMillis
      const starts = ++lastStart
      yield* update((now) => {
        const { created_at = at, running = false, wakes = 0, woken_at = null } = now.work.get(jobName(job)) ?? {}
        const stored: MemoryJob = {
          job,
          progress: jobStarted,
          waiting: false,
          starts,
          wakes,
          woken_at,
          created_at,
          due_at: at,
          running,
          failures: 0,
          last_error: null
        }
        return put(now, "work", jobName(job), stored)
      })
    })

    const makeDue = Effect.fnUntraced(function*(target: JobTarget) {
      const at = yield* Clock.currentTimeMillis
      yield* update((now) => {
        const work = new Map(now.work)
        for (const [name, one] of work) {
          if (!matches(one, target)) continue
          const { lender_state } = one.progress
          const state = ("lender_state" in target ? target.lender_state : undefined) ?? lender_state
          const woken_at = dueAt(one.woken_at, at)
          if (woken_at === null && state === lender_state) continue
          work.set(name, {
            ...one,
            progress: state === lender_state ? one.progress : { ...one.progress, lender_state: state ?? null },
            waiting: false,
            wakes: one.wakes + 1,
            woken_at: woken_at ?? one.woken_at,
            due_at: Math.min(one.due_at, woken_at ?? one.due_at)
          })
        }
        return { ...now, work, callbacks: withCallback(now.callbacks, target, at) }
      })
    })

    return DurableWork.of({
      startQuote: (id) => start({ kind: "quote", id }),
      startContract: (id) => start({ kind: "contract", id }),
      makeDue
    })
  })
)

/** Runs stored jobs. */
const makeJobs = Effect.gen(function*() {
  const { state, update } = yield* MemoryDatabase
  const ports = yield* Effect.context<JobPorts>()

  /**
   * Stores the outcome of a run, unless the job was started again during the run. A callback may have stored a `lender_state` during the
   * run, or earlier under the key that the run has returned. In both cases, keeps this state.
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
      const early = callback_key === null || callback_key === progress.callback_key
        ? undefined
        : now.callbacks.get(callback_key)
      const isMet = early !== undefined && isRemembered(early.called_at, at)
      const isReplaced = lender_state !== (progress.lender_state ?? null)
      const brought = isReplaced ? lender_state : isMet ? early.lender_state : null
      const stored: MemoryJob = {
        ...present,
        waiting: present.wakes === wakes && !isMet && isWaiting(outcome),
        progress: brought === null ? next : { ...next, lender_state: brought },
        ...(isMet ? { wakes: present.wakes + 1, woken_at: dueAt(present.woken_at, at) ?? present.woken_at } : {}),
        due_at: isMet || present.wakes !== wakes ? at : at + outcome.after_ms,
        running: false,
        failures: 0,
        last_error
      }
      return put(now, "work", name, stored)
    })
  })

  const replace = (job: Job, f: (present: MemoryJob) => MemoryJob) =>
    update((now) => alter(now, "work", jobName(job), f))

  const find = (job: Job) => Effect.map(state, ({ work }) => Option.fromUndefinedOr(work.get(jobName(job))))
  const stored = (matches: (one: MemoryJob) => boolean) =>
    Effect.map(state, ({ work }) => Array.from(work.values()).filter(matches))

  /** Runs a job once. The in-memory database is never busy, but a port may fail: a failed run changes nothing. */
  const run = Effect.fnUntraced(function*(one: MemoryJob) {
    let problem: string | null = null
    yield* replace(one.job, (present) => ({ ...present, running: true }))
    const runOnce = Effect.orDie(runJob(one.job, one.progress)).pipe(
      Effect.provideContext(ports),
      Effect.provideService(ReportProblem, (reported) => {
        problem = reported
      })
    )
    const outcome = yield* Effect.onError(runOnce, () =>
      replace(one.job, ({ failures, ...present }) => ({
        ...present,
        running: false,
        failures: failures + 1,
        last_error: "defect"
      })))
    yield* settle(one, outcome, problem)
    return outcome
  })

  return {
    find,
    run,
    stored,
    pending: Effect.map(stored(isPending), (all) => all.map(({ job }) => job)),
    /** Appends the events of expired applications. Without one, calls no port, so that no injected fault is used up. */
    expire: Effect.flatMap(
      Effect.all([state, currentTimestamp]),
      ([now, at]) =>
        isAnyExpired(now, at)
          ? Effect.asVoid(Effect.provideContext(Effect.orDie(expireApplications()), ports))
          : Effect.void
    ),
    poll: Effect.gen(function*() {
      const waiting = yield* stored(({ waiting }) => waiting)
      yield* Effect.forEach(waiting, run, { discard: true })
      return waiting.length
    })
  }
})

/** Runs stored jobs only when a test runs them with {@link PendingWork}. */
const runnerByHand = Effect.map(makeJobs, ({ expire, pending, poll, run, stored }) => {
  const finish: Effect.Effect<void> = Effect.flatMap(
    stored(isPending),
    ([first]) =>
      first === undefined
        ? Effect.void
        : Effect.flatMap(run(first), (outcome) =>
          outcome._tag === "RETRY" && !isWaiting(outcome)
            ? Effect.andThen(Effect.sleep(outcome.after_ms), Effect.suspend(() => finish))
            : Effect.suspend(() => finish))
  )
  return PendingWork.of({ pending, finish: Effect.andThen(finish, expire), poll })
})

/** Runs stored jobs as soon as the transaction that stores them commits, each in its own fiber. */
const runnerOnCommit = Effect.gen(function*() {
  const { opensOnCommit } = yield* MemoryDatabase
  const { expire, find, pending, poll, run, stored } = yield* makeJobs
  const scope = yield* Effect.scope
  const committed = Latch.makeUnsafe(true)
  yield* opensOnCommit(committed)
  /** The jobs that have a fiber, each with a latch that ends its pause. */
  const running = new Map<string, { readonly wake: Latch.Latch; starts: number; wakes: number }>()

  /** Runs a job until it ends, and sleeps between its runs. A failed run is repeated. */
  const runToEnd = Effect.fnUntraced(function*(job: Job, wake: Latch.Latch) {
    for (let failures = 0, woken = 0;;) {
      // The latch closes before the job is read. A start after that opens it again, and ends the next pause.
      yield* wake.close
      const one = yield* find(job)
      if (Option.isNone(one)) break
      const early_ms = (one.value.woken_at ?? 0) - (yield* Clock.currentTimeMillis)
      if (early_ms > 0 && one.value.wakes > woken) yield* Effect.sleep(early_ms)
      woken = one.value.wakes
      const delay = yield* Effect.matchCauseEffect(run(one.value), {
        onFailure: (cause) =>
          Effect.as(Effect.logError("In-memory job failed", cause), failureDelayMs(job.id, ++failures, job.kind)),
        onSuccess: (outcome) => {
          failures = 0
          return Effect.succeed(outcome._tag === "DONE" ? 0 : outcome.after_ms)
        }
      })
      // The operator may have ended the job during the run.
      if (Option.isSome(yield* find(job))) yield* Effect.raceFirst(wake.await, Effect.sleep(delay))
    }
    running.delete(jobName(job))
    // The job may have been started again after this fiber found that it had ended.
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

  const finish = Effect.scoped(Effect.gen(function*() {
    const changed = Latch.makeUnsafe()
    yield* opensOnCommit(changed)
    while ((yield* pending).length > 0) {
      yield* changed.await
      yield* changed.close
    }
  }))
  return PendingWork.of({ pending, finish: Effect.andThen(finish, expire), poll })
})

/** Runs jobs only when a test runs them with {@link PendingWork}. */
export const layerByHand = Layer.merge(Layer.effect(PendingWork, runnerByHand), layerJobPorts)

/** Runs jobs when the transaction that starts them commits. */
export const layerOnCommit = Layer.merge(Layer.effect(PendingWork, runnerOnCommit), layerJobPorts)

const nameOf = ({ id, kind }: JobKey): string => `${kind}/${id}`

const storedJobOf = (
  { created_at, due_at, failures, job, last_error, progress, running }: MemoryJob,
  at: number
): StoredJob => ({
  kind: job.kind,
  id: job.id,
  state: running ? "RUNNING" : due_at <= at ? "DUE" : "WAITING",
  created_at: timestampOf(created_at),
  due_at: timestampOf(due_at),
  attempt: progress.attempt,
  failures,
  last_error
})

const byDueTime = Order.mapInput(Order.Number, ({ due_at }: MemoryJob) => due_at)

/** In-memory `StoredJobs`. */
export const layerStoredJobs = Layer.effect(
  StoredJobs,
  Effect.map(MemoryDatabase, ({ state, update }) =>
    StoredJobs.of({
      list: (limit) =>
        Effect.map(Effect.all([state, Clock.currentTimeMillis]), ([{ work }, at]) =>
          Array.from(work.values()).toSorted(byDueTime).slice(0, limit).map((job) =>
            storedJobOf(job, at)
          )),
      find: (key) =>
        Effect.map(Effect.all([state, Clock.currentTimeMillis]), ([{ work }, at]) =>
          Option.map(Option.fromUndefinedOr(work.get(nameOf(key))), (job) =>
            storedJobOf(job, at))),
      end: (key) =>
        update((now) => ({ ...now, work: withoutEntry(now.work, nameOf(key)) }))
    }))
)
