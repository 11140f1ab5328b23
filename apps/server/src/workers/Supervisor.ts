import { Data, Duration, Effect, Queue, Result, Schedule, Semaphore } from "effect"
import { type SharedSockets } from "../layers/sharedPort.ts"
import { type Environment } from "../settings/readers.ts"
import { type WorkerPlace } from "../settings/workers.ts"
import { type MetricsPart, MetricsSum } from "./MetricsSum.ts"
import { type Ending, WorkerProcess } from "./WorkerProcess.ts"

/** The workers cannot serve. `exit` is the exit code of the last one. `message` is empty if it has printed the reason. */
export class WorkerFailed
  extends Data.TaggedError("WorkerFailed")<{ readonly exit: number; readonly message: string }>
{}

/** The exit code for a worker that a signal ended: an internal error. */
const exitOfSignal = 70

/** The pause before a worker is started again. It doubles after each consecutive failure, up to a maximum. */
const pauses = { first: Duration.millis(100), longest: Duration.seconds(10) } as const

/** Milliseconds after which the start of a worker counts as successful. */
const stableAfter = 10_000

/** Number of consecutive failed starts after which the supervisor gives up, if no other worker is running. */
const mostFailures = 5

/** Maximum time until a new worker of a reload is ready. */
const readyTimeout = "5 minutes"

/** Milliseconds without a message after which a worker is killed, because its event loop is blocked. */
const longestSilence = 60_000

/** Returns a function that makes the environment of a worker. Fails if the settings are wrong. */
export type Plan<E> = Effect.Effect<(place: WorkerPlace) => Environment, E>

const describeEnding = (ending: Ending) => typeof ending === "number" ? { exit: ending } : { signal: ending }

const failed = (ending: Ending, index: number) =>
  typeof ending === "number"
    ? new WorkerFailed({ exit: ending === 0 ? exitOfSignal : ending, message: "" })
    : new WorkerFailed({
      exit: exitOfSignal,
      message: `Worker ${index} was ended by ${ending} before it listened. Check the memory limit of the server.`
    })

/**
 * Starts the workers of a server, and restarts each one that ends. A reload replaces one worker after the other. Serves
 * no requests itself.
 */
export class Supervisor<E extends { readonly message: string }> {
  readonly #count: number
  readonly #plan: Plan<E>
  readonly #sockets: SharedSockets
  readonly #current = new Map<number, WorkerProcess>()
  /** All workers that have not ended, including those that are being replaced. */
  readonly #living = new Set<WorkerProcess>()
  readonly #locks: ReadonlyMap<number, Semaphore.Semaphore>
  readonly #metrics = new MetricsSum()
  #environmentOf: (place: WorkerPlace) => Environment = () => ({})
  #isStopping = false

  constructor(count: number, plan: Plan<E>, sockets: SharedSockets) {
    this.#count = count
    this.#plan = plan
    this.#sockets = sockets
    this.#locks = new Map(this.#indexes.map((index) => [index, Semaphore.makeUnsafe(1)]))
  }

  /**
   * Starts the first worker, which migrates and fills the database, and then the others. Restarts workers that end.
   * Reloads at each element of `reloads`. When interrupted, stops all workers and waits for their end. Runs
   * `whenServing` once, when the first worker listens.
   */
  readonly run = (
    reloads: Queue.Dequeue<void>,
    whenServing: Effect.Effect<void>
  ): Effect.Effect<never, E | WorkerFailed> =>
    Effect.gen({ self: this }, function*() {
      this.#environmentOf = yield* this.#plan
      const first = this.#start(1)
      const ending = yield* Effect.raceFirst(Effect.as(first.listening, undefined), first.ended)
      if (ending !== undefined) return yield* failed(ending, 1)
      yield* whenServing
      this.#indexes.slice(1).forEach(this.#start)
      const reload = Effect.andThen(Queue.take(reloads), this.#reload)
      yield* Effect.all([...this.#indexes.map(this.#keep), this.#watch, Effect.forever(reload)], {
        concurrency: "unbounded",
        discard: true
      })
      return yield* Effect.never
    }).pipe(Effect.onExit(() => this.#stopAll))

  /** Returns the combined metrics of all workers and of this process, `own`. */
  readonly metrics = (own: Effect.Effect<string>): Effect.Effect<string> =>
    Effect.gen({ self: this }, function*() {
      const parts = yield* Effect.forEach(
        [...this.#living],
        (worker) => Effect.map(worker.readMetrics, (text): readonly [WorkerProcess, string] => [worker, text]),
        { concurrency: "unbounded" }
      )
      const supervisor: MetricsPart = { text: yield* own, worker: "supervisor" }
      // If a worker has ended meanwhile, `#metrics` already has its last metrics.
      const living = parts.filter(([worker]) => this.#living.has(worker)).map(([worker, text]): MetricsPart => ({
        text,
        worker: this.#current.get(worker.index) === worker ? String(worker.index) : undefined
      }))
      return this.#metrics.merge([...living, supervisor])
    })

  get #indexes(): ReadonlyArray<number> {
    return Array.from({ length: this.#count }, (_, index) => index + 1)
  }

  readonly #spawn = (index: number): WorkerProcess => {
    const place = { index, workers: this.#count }
    const worker = new WorkerProcess(place, this.#environmentOf(place), this.#sockets.fds, () => {
      if (worker.ending !== undefined && this.#living.delete(worker)) this.#metrics.retire(worker.lastMetrics)
      this.#shareReadiness()
    })
    this.#living.add(worker)
    return worker
  }

  readonly #start = (index: number): WorkerProcess => {
    const worker = this.#spawn(index)
    this.#current.set(index, worker)
    return worker
  }

  /** Sends each worker whether another one is ready. */
  readonly #shareReadiness = (): void => {
    if (this.#isStopping) return
    for (const worker of this.#living) {
      const areReady = [...this.#living].some((other) => other !== worker && other.isReady)
      worker.send({ kind: "others", areReady })
    }
  }

  /** Starts a worker again whenever it ends. */
  readonly #keep = (index: number): Effect.Effect<never, WorkerFailed> =>
    Effect.gen({ self: this }, function*() {
      let failures = 0
      while (true) {
        const worker = this.#current.get(index)
        const ending = worker === undefined ? 0 : yield* worker.ended
        const replace = Effect.gen({ self: this }, function*() {
          // A reload has replaced the worker.
          if (this.#current.get(index) !== worker || worker === undefined) return
          const hasLived = worker.hasListened && performance.now() - worker.startedAt > stableAfter
          failures = hasLived ? 0 : failures + 1
          const isLast = this.#living.size === 0
          if (isLast && failures >= mostFailures) return yield* failed(ending, index)
          const pause = failures === 0
            ? Duration.zero
            : Duration.min(Duration.times(pauses.first, 2 ** (failures - 1)), pauses.longest)
          yield* Effect.annotateLogs(
            Effect.logWarning("worker ended; starting another"),
            { worker: index, pid: worker.pid, ...describeEnding(ending), pause_ms: Duration.toMillis(pause) }
          )
          yield* Effect.sleep(pause)
          this.#start(index)
        })
        yield* this.#withLock(index, replace)
      }
    })

  /** Runs an effect while no other replacement of the worker with this index runs. */
  #withLock<A, E2>(index: number, effect: Effect.Effect<A, E2>): Effect.Effect<A, E2> {
    return this.#locks.get(index)?.withPermits(1)(effect) ?? effect
  }

  /** Replaces one worker after the other with a new one that reads the settings again. */
  readonly #reload: Effect.Effect<void> = Effect.gen({ self: this }, function*() {
    const planned = yield* Effect.result(this.#plan)
    if (Result.isFailure(planned)) {
      return yield* Effect.logError(`reload refused; keeping the workers: ${planned.failure.message}`)
    }
    const previous = this.#environmentOf
    this.#environmentOf = planned.success
    yield* Effect.logInfo("reloading; replacing one worker after the other")
    if (yield* this.#replaceAll()) return yield* Effect.logInfo("reloaded; all workers are replaced")
    this.#environmentOf = previous
    yield* Effect.logError("reload ended; a new worker was not ready. Keeping the remaining workers")
  })

  /** Replaces all workers in turn. Stops and returns false at the first new one that is not ready. */
  readonly #replaceAll = (): Effect.Effect<boolean> =>
    Effect.gen({ self: this }, function*() {
      for (const index of this.#indexes) {
        const isReplaced = yield* this.#withLock(index, this.#replace(index))
        if (!isReplaced) return false
      }
      return true
    })

  /** Replaces a worker. Returns false if the new one ends or is not ready in time. */
  readonly #replace = (index: number): Effect.Effect<boolean> =>
    Effect.gen({ self: this }, function*() {
      const old = this.#current.get(index)
      const next = this.#spawn(index)
      const isReady = yield* Effect.raceFirst(Effect.as(next.ready, true), Effect.as(next.ended, false)).pipe(
        Effect.timeoutOrElse({ duration: readyTimeout, orElse: () => Effect.succeed(false) })
      )
      if (!isReady) {
        next.kill()
        return false
      }
      this.#current.set(index, next)
      old?.send({ kind: "stop", reason: "replaced by a new worker", isReplaced: true })
      if (old !== undefined) yield* old.ended
      yield* Effect.annotateLogs(Effect.logInfo("worker replaced"), { worker: index, pid: next.pid })
      return true
    })

  /** Kills workers that have sent no message for too long. */
  readonly #watch: Effect.Effect<void> = Effect.suspend(() =>
    Effect.forEach(
      [...this.#living].filter(({ hasListened, silence }) => hasListened && silence > longestSilence),
      (worker) =>
        Effect.andThen(
          Effect.annotateLogs(
            Effect.logError(`worker has not responded for ${longestSilence / 1_000} s; ending it`),
            { worker: worker.index, pid: worker.pid }
          ),
          Effect.sync(worker.kill)
        ),
      { discard: true }
    )
  ).pipe(Effect.repeat(Schedule.spaced("5 seconds")), Effect.asVoid)

  /** Stops all workers and waits for their end. Dies with the exit code of a worker that did not stop in time. */
  readonly #stopAll: Effect.Effect<void> = Effect.gen({ self: this }, function*() {
    this.#isStopping = true
    this.#sockets.close()
    const workers = [...this.#living]
    for (const worker of workers) worker.send({ kind: "stop", reason: "the server stops", isReplaced: false })
    const endings = yield* Effect.forEach(workers, ({ ended }) => ended, { concurrency: "unbounded" })
    const bad = endings.find((ending) => ending !== 0)
    if (bad !== undefined) {
      return yield* Effect.die(new WorkerFailed({ exit: typeof bad === "number" ? bad : 1, message: "" }))
    }
  })
}
