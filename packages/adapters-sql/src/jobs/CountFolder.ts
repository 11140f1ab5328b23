import { Duration, Effect, Layer } from "effect"
import { type SqlClient } from "effect/sql"
import { pollForever } from "../database/pollForever.ts"
import { auditBatch, foldAuditCounts } from "../hierarchy/foldAuditCounts.ts"
import { foldCounts } from "../hierarchy/foldCounts.ts"
import { foldPlaces } from "../origination/foldPlaces.ts"

/** Settings of the background job that adds pending changes to the stored counts. */
export interface CountFolderOptions {
  /** The pause while no change is pending. Default: 1 s. For audit entries, the pause is at least 10 s. */
  readonly interval?: Duration.Input | undefined
}

/** The minimum pause while few audit entries are left to count. A list counts up to 8 000 of them one by one. */
const minAuditInterval = Duration.seconds(10)

/**
 * Runs in the background until the scope closes: adds pending changes to the stored counts of subtrees, adds audit
 * entries to their counts, and stores the places that applications reach by time alone. Logs a failure and retries.
 */
export const layer = ({ interval = "1 second" }: CountFolderOptions = {}): Layer.Layer<
  never,
  never,
  SqlClient.SqlClient
> => {
  const auditInterval = Duration.max(Duration.fromInputUnsafe(interval), minAuditInterval)
  return Layer.effectDiscard(Effect.all([
    Effect.forkScoped(
      pollForever({
        processBatch: foldCounts,
        batchSize: 1,
        interval,
        failureMessage: "Updating the subtree counts failed; retrying. Totals stay exact."
      })
    ),
    Effect.forkScoped(
      pollForever({
        processBatch: foldPlaces,
        batchSize: 1,
        interval,
        failureMessage: "Updating the places of applications failed; retrying. Totals stay exact."
      })
    ),
    Effect.forkScoped(
      // Delayed, so that it does not slow down the start of a node.
      Effect.delay(
        pollForever({
          processBatch: foldAuditCounts,
          batchSize: auditBatch,
          interval: auditInterval,
          failureMessage: "Updating the counts of audit entries failed; retrying. Totals stay exact."
        }),
        auditInterval
      )
    )
  ], { discard: true }))
}
