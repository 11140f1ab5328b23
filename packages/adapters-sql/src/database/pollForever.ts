import { endWithin } from "@lastro/domain/values"
import { Cause, type Duration, Effect } from "effect"

interface Polling<E, R> {
  /** Processes one batch. Returns the number of its items. */
  readonly processBatch: Effect.Effect<number, E, R>
  /** The size of a full batch. A full batch is followed by the next one without a pause. */
  readonly batchSize: number
  /** The pause after a batch that was not full, or that failed. */
  readonly interval: Duration.Input
  /** The log message of a failed batch. */
  readonly failureMessage: string
  /** Maximum time for a batch. A longer one is interrupted and counts as failed. Default: 1 minute. */
  readonly timeout?: Duration.Input | undefined
}

/**
 * Processes batches of background work forever. A batch that fails or takes too long is logged as a warning. The next
 * attempt follows after the pause.
 */
export const pollForever = <E, R>(
  { batchSize, failureMessage, interval, processBatch, timeout = "1 minute" }: Polling<E, R>
): Effect.Effect<never, never, R> =>
  processBatch.pipe(
    (batch) => endWithin(batch, timeout, Effect.fail(new Cause.TimeoutError("the batch took too long"))),
    Effect.catchCause((cause) => Effect.as(Effect.logWarning(failureMessage, cause), 0)),
    Effect.flatMap((size) => size < batchSize ? Effect.sleep(interval) : Effect.void),
    Effect.forever
  )
