import { Duration, Effect, Layer } from "effect"
import { layerLogs } from "../layers/logs.ts"
import { type LogFormat } from "../settings/Settings.ts"

/** Maximum time of a stop. Docker kills a container 10 s after the stop signal. */
const limit = Duration.millis(9_500)

const signals = ["SIGTERM", "SIGINT"] as const

/**
 * Limits the time of a stop. If a part of the server does not close in time, logs its name and ends the process with the
 * exit code 1.
 */
export class LimitedStop {
  readonly #format: LogFormat
  #closing = "the start of the server"
  #hasBegun = false

  constructor(format: LogFormat) {
    this.#format = format
  }

  readonly #exit = (): void => {
    const message = `stop timed out while closing ${this.#closing}; exiting with 1`
    Effect.runSync(Effect.provide(Effect.logError(message), layerLogs(this.#format)))
    process.exit(1)
  }

  /** Starts the time of the stop, at its first call. */
  readonly begin: Effect.Effect<void> = Effect.sync(() => {
    if (this.#hasBegun) return
    this.#hasBegun = true
    setTimeout(this.#exit, Duration.toMillis(limit)).unref()
  })

  /** Starts the time of the stop at the first stop signal. */
  readonly onSignal: Layer.Layer<never> = Layer.effectDiscard(Effect.acquireRelease(
    Effect.sync(() => {
      const listener = () => Effect.runSync(this.begin)
      signals.forEach((signal) => process.once(signal, listener))
      return listener
    }),
    (listener) => Effect.sync(() => signals.forEach((signal) => process.off(signal, listener)))
  ))

  /** Names the part of the server that closes next. Provide the part to this layer. */
  readonly stage = (name: string): Layer.Layer<never> =>
    Layer.effectDiscard(Effect.addFinalizer(() =>
      Effect.sync(() => {
        this.#closing = name
      })
    ))
}
