import { Readiness } from "@lastro/adapters-http"
import { Cause, Deferred, Duration, Effect, Exit, Fiber, Layer, References } from "effect"
import { constants } from "node:os"
import { layerLogs } from "../layers/logs.ts"
import { type Settings } from "../settings/Settings.ts"
import { LimitedStop } from "./LimitedStop.ts"

const signals = ["SIGTERM", "SIGINT"] as const

/**
 * Signals within this time in milliseconds after the first one are copies of it. npm and pnpm forward a signal that the terminal or the
 * supervisor also sends to the process group. Without them, there are no copies.
 */
const copiesWithin = (environment: NodeJS.ProcessEnv): number =>
  environment["npm_lifecycle_event"] === undefined ? 0 : 1_000

/**
 * Stops a server in order. From the stop signal on, the server is not ready, and it still serves requests for the delay, so that load
 * balancers stop sending them. Then it closes. A second signal ends the process at once.
 */
export class ServerStop {
  readonly #delay: Duration.Duration
  readonly #logs: ReturnType<typeof layerLogs>
  readonly #limited: LimitedStop
  readonly #mayClose = Deferred.makeUnsafe<void>()
  #isServing = false
  #requestedAt: number | undefined

  constructor({ log_format, log_level, stop_delay }: Pick<Settings, "log_format" | "log_level" | "stop_delay">) {
    this.#delay = stop_delay
    this.#logs = Layer.merge(layerLogs(log_format), Layer.succeed(References.MinimumLogLevel, log_level))
    this.#limited = new LimitedStop(log_format)
  }

  /** Names the part of the server that closes next. Provide the part to this layer. */
  readonly stage = (name: string): Layer.Layer<never> => this.#limited.stage(name)

  /** Enables the delay. Build this layer when the server listens: before that, it serves no requests and closes at once. */
  readonly serving: Layer.Layer<never> = Layer.effectDiscard(Effect.sync(() => {
    this.#isServing = true
  }))

  /** Reports not ready from the stop signal on. */
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

  /** Starts the stop, at its first call. */
  readonly #begin = (reason: string): void => {
    if (this.#isStopping) return
    this.#requestedAt = performance.now()
    const delay = this.#isServing ? this.#delay : Duration.zero
    this.#limited.begin(delay)
    if (Duration.isZero(delay)) return void Deferred.doneUnsafe(this.#mayClose, Effect.void)
    this.#log(Effect.logInfo(`${reason}; not ready, and serving requests for another ${Duration.format(delay)}`))
    setTimeout(() => Deferred.doneUnsafe(this.#mayClose, Effect.void), Duration.toMillis(delay))
  }

  readonly #receive = (signal: NodeJS.Signals): void => {
    if (this.#requestedAt === undefined) return this.#begin(`received ${signal}`)
    if (performance.now() - this.#requestedAt < copiesWithin(process.env)) return
    this.#log(Effect.logWarning(`received ${signal} again; exiting at once`))
    process.exit(128 + constants.signals[signal])
  }

  readonly #listen = Effect.acquireRelease(
    // Before the listeners of the runtime, which interrupt the command: the interruption then waits for the delay.
    Effect.sync(() => signals.forEach((signal) => process.prependListener(signal, this.#receive))),
    () => Effect.sync(() => signals.forEach((signal) => process.off(signal, this.#receive)))
  )

  /**
   * Runs a server until it fails, a stop signal arrives or `otherwise` completes. The interruption of this effect without a stop signal
   * closes the server at once.
   */
  readonly run = <E, R, R2>(
    server: Effect.Effect<never, E, R>,
    otherwise: Effect.Effect<string, never, R2>
  ): Effect.Effect<void, E, R | R2> => {
    const close = Effect.fnUntraced(function*(stop: ServerStop, fiber: Fiber.Fiber<never, E>) {
      if (stop.#isStopping) yield* Deferred.await(stop.#mayClose)
      yield* Fiber.interrupt(fiber)
      const exit = yield* Fiber.await(fiber)
      // A part that did not close is a defect of the stop.
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
