import { type Duration, Effect, Layer } from "effect"
import { type SqlClient } from "effect/sql"
import { pollForever } from "../database/pollForever.ts"
import { foldCounts } from "./foldCounts.ts"

/** Options of the background job that adds pending changes to the stored subtree counts. */
export interface CountFolderOptions {
  /** The pause while no change is pending. Default: 1 s. */
  readonly interval?: Duration.Input | undefined
}

/**
 * Adds pending changes to the stored subtree counts in the background, until the layer is closed. Logs a failure and
 * retries.
 */
export const layer = ({ interval = "1 second" }: CountFolderOptions = {}): Layer.Layer<
  never,
  never,
  SqlClient.SqlClient
> =>
  Layer.effectDiscard(Effect.forkScoped(
    pollForever({
      processBatch: foldCounts,
      batchSize: 1,
      interval,
      failureMessage: "Updating the subtree counts failed; retrying. Totals stay exact."
    })
  ))
