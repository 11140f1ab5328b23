import { type Duration, Effect } from "effect"

interface Polling<E, R> {
  /** Processes one batch and returns its size. */
  readonly processBatch: Effect.Effect<number, E, R>
  /** The size of a full batch. The next batch starts immediately after a full one. */
  readonly batchSize: number
  /** The pause after a batch that was not full, and after a failed one. */
  readonly interval: Duration.Input
  /** The log message of a failed batch. */
  readonly failureMessage: string
}

/** Processes batches of background work forever. Logs a failed batch as a warning and retries after the pause. */
export const pollForever = <E, R>(
  { batchSize, failureMessage, interval, processBatch }: Polling<E, R>
): Effect.Effect<never, never, R> =>
  processBatch.pipe(
    Effect.catchCause((cause) => Effect.as(Effect.logWarning(failureMessage, cause), 0)),
    Effect.flatMap((size) => size < batchSize ? Effect.sleep(interval) : Effect.void),
    Effect.forever
  )
