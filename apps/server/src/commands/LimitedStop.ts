import { Duration, Effect, Layer } from "effect"
import { layerLogs } from "../layers/logs.ts"
import { type LogFormat } from "../settings/Settings.ts"

/** Maximum time to close the server, counted from the end of the stop delay. */
const limit = Duration.millis(9_500)

/**
 * Limits the time of a stop. If a part of the server does not close in time, logs the name of that part and ends the
 * process with the exit code 1.
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

  /** Starts the time limit of the stop, which is counted from the end of `delay`. Later calls do nothing. */
  readonly begin = (delay: Duration.Duration): void => {
    if (this.#hasBegun) return
    this.#hasBegun = true
    setTimeout(this.#exit, Duration.toMillis(Duration.sum(delay, limit))).unref()
  }

  /**
   * Returns a layer that, when it closes, sets the name of the part of the server that closes next. Build it on that
   * part (`Layer.provideMerge(stage(name), part)`) so that it closes first.
   */
  readonly stage = (name: string): Layer.Layer<never> =>
    Layer.effectDiscard(Effect.addFinalizer(() =>
      Effect.sync(() => {
        this.#closing = name
      })
    ))
}
