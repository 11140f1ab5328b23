import { Readiness } from "@lastro/adapters-http"
import { Cause, Deferred, Duration, Effect, Exit, Fiber, Layer, References } from "effect"
import { constants } from "node:os"
import { layerLogs } from "../layers/logs.ts"
import { type Settings } from "../settings/Settings.ts"

const signals = ["SIGTERM", "SIGINT"] as const

/** Maximum time to close the server. It starts at the end of the stop delay. */
export const closeLimit = Duration.millis(9_500)

/** The options of a worker or a supervisor, which stop together. */
export interface StopOptions {
  /** Maximum time to close. It starts at the end of the stop delay. */
  readonly limit?: Duration.Duration
  /**
   * True if a second signal does not end the process. A worker gets signals from the terminal and from its supervisor.
   */
  readonly ignoresFurther?: boolean
}

/**
 * Returns the milliseconds after the first stop signal in which further signals are copies of it and are ignored. The
 * terminal sends a signal to the whole process group, and npm and pnpm forward it again. Without them, no signal
 * arrives twice, so the time is 0.
 */
const copiesWithin = (environment: NodeJS.ProcessEnv): number =>
  environment["npm_lifecycle_event"] === undefined ? 0 : 1_000

/**
 * Stops a server in two steps. After the stop signal, the server still serves requests during a delay. It reports that
 * it is not ready, so that load balancers stop sending requests. Then it closes. A second signal ends the process at
 * once. If a part of the server does not close in time, its name is logged, and the process ends with exit code 1.
 */
export class ServerStop {
  #delay: Duration.Duration
  readonly #options: Required<StopOptions>
  readonly #logs: ReturnType<typeof layerLogs>
  readonly #mayClose = Deferred.makeUnsafe<void>()
  #closing = "the start of the server"
  #isServing = false
  #requestedAt: number | undefined

  constructor(
    { log_format, log_level, stop_delay }: Pick<Settings, "log_format" | "log_level" | "stop_delay">,
    { ignoresFurther = false, limit = closeLimit }: StopOptions = {}
  ) {
    this.#delay = stop_delay
    this.#options = { ignoresFurther, limit }
    this.#logs = Layer.merge(layerLogs(log_format), Layer.succeed(References.MinimumLogLevel, log_level))
  }

  /**
   * Returns a layer that marks a stage of the stop: when it closes, it records that the part `name` is closing now.
   * Build it on that part (`Layer.provideMerge(stage(name), part)`), so that it closes just before the part.
   */
  readonly stage = (name: string): Layer.Layer<never> =>
    Layer.effectDiscard(Effect.addFinalizer(() =>
      Effect.sync(() => {
        this.#closing = name
      })
    ))

  /**
   * Enables the delay. Build this layer when the server listens. Before that, there are no requests, and the server
   * closes without the delay.
   */
  readonly serving: Layer.Layer<never> = Layer.effectDiscard(Effect.sync(() => {
    this.#isServing = true
  }))

  /** Skips the delay of a stop that has not begun. */
  readonly skipDelay = (): void => {
    this.#delay = Duration.zero
  }

  /** Reports that the server is not ready after the stop signal. */
  readonly readiness: Layer.Layer<Readiness, never, Readiness> = Layer.effect(
    Readiness,
    Effect.map(
      Readiness,
      ({ isReady }) =>
        Readiness.of({ isReady: Effect.suspend(() => this.#isStopping ? Effect.succeed(false) : isReady) })
    )
  )

  get #isStopping(): boolean {
    return this.#requestedAt !== undefined
  }

  #log(entry: Effect.Effect<void>): void {
    Effect.runSync(Effect.provide(entry, this.#logs))
  }

  readonly #begin = (reason: string): void => {
    if (this.#isStopping) return
    this.#requestedAt = performance.now()
    const delay = this.#isServing ? this.#delay : Duration.zero
    setTimeout(this.#giveUp, Duration.toMillis(Duration.sum(delay, this.#options.limit))).unref()
    if (Duration.isZero(delay)) return void Deferred.doneUnsafe(this.#mayClose, Effect.void)
    this.#log(Effect.logInfo(`${reason}; not ready, and serving requests for another ${Duration.format(delay)}`))
    setTimeout(() => Deferred.doneUnsafe(this.#mayClose, Effect.void), Duration.toMillis(delay))
  }

  readonly #giveUp = (): void => {
    this.#log(Effect.logError(`stop timed out while closing ${this.#closing}; exiting with 1`))
    process.exit(1)
  }

  readonly #receive = (signal: NodeJS.Signals): void => {
    if (this.#requestedAt === undefined) return this.#begin(`received ${signal}`)
    if (this.#options.ignoresFurther || performance.now() - this.#requestedAt < copiesWithin(process.env)) return
    this.#log(Effect.logWarning(`received ${signal} again; exiting at once`))
    process.exit(128 + constants.signals[signal])
  }

  readonly #listen = Effect.acquireRelease(
    // Add these listeners before those of the runtime, which interrupt the command, so that the interruption waits for
    // the delay.
    Effect.sync(() => signals.forEach((signal) => process.prependListener(signal, this.#receive))),
    () => Effect.sync(() => signals.forEach((signal) => process.off(signal, this.#receive)))
  )

  /**
   * Runs a server until it fails, a stop signal arrives or `otherwise` completes. Without a stop signal, an
   * interruption of this effect closes the server at once.
   */
  readonly run = <E, R, R2>(
    server: Effect.Effect<never, E, R>,
    otherwise: Effect.Effect<string, never, R2>
  ): Effect.Effect<void, E, R | R2> => {
    const close = Effect.fnUntraced(function*(stop: ServerStop, fiber: Fiber.Fiber<never, E>) {
      if (stop.#isStopping) yield* Deferred.await(stop.#mayClose)
      yield* Fiber.interrupt(fiber)
      const exit = yield* Fiber.await(fiber)
      // A defect means that a part of the server failed to close. Then the stop fails with it.
      if (Exit.isFailure(exit) && Cause.hasDies(exit.cause)) return yield* Effect.die(Cause.squash(exit.cause))
    })
    const ended = Effect.flatMap(
      otherwise,
      (reason) => Effect.andThen(Effect.sync(() => this.#begin(reason)), Deferred.await(this.#mayClose))
    )
    return Effect.scoped(Effect.andThen(
      this.#listen,
      Effect.acquireUseRelease(
        Effect.forkDetach(Effect.interruptible(server)),
        (fiber) => Effect.raceFirst(Fiber.join(fiber), ended),
        (fiber) => close(this, fiber)
      )
    ))
  }
}
