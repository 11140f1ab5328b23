import { deleteOldEvents } from "@lastro/domain/event"
import { anonymiseDeleted } from "@lastro/domain/privacy"
import { Duration, Effect, Layer } from "effect"
import { type Settings } from "../settings/Settings.ts"

/** The pause of a node between two searches for deleted users and partners whose retention period has passed. */
export const retentionInterval = Duration.hours(1)

/** The time from the start of the node to the first search. An earlier search would slow down the start. */
export const firstRetentionDelay = Duration.minutes(1)

/** Runs a batch again and again until it has nothing to do, and then once an hour. A failure is logged. */
const layerBatches = <E, R>(batch: Effect.Effect<number, E, R>, done: string, failed: string) => {
  const all = Effect.gen(function*() {
    let total = 0
    for (let last = yield* batch; last > 0; last = yield* batch) total += last
    if (total > 0) yield* Effect.annotateLogs(Effect.logInfo(done), { count: total })
  })
  const safely = Effect.catchCause(all, (cause) => Effect.logWarning(`${failed}; retrying in an hour`, cause))
  return Layer.effectDiscard(Effect.forkScoped(
    Effect.andThen(
      Effect.sleep(firstRetentionDelay),
      Effect.forever(Effect.andThen(safely, Effect.sleep(retentionInterval)))
    )
  ))
}

/**
 * Anonymises deleted users and partners in the background when their retention period has passed. Every node does this,
 * and skips a record that another node is anonymising. A failure is logged, and retried after the pause.
 */
export const layerDeletedRetention = ({ privacy: { deleted_retention } }: Pick<Settings, "privacy">) =>
  layerBatches(
    anonymiseDeleted(Duration.toMillis(deleted_retention)),
    "deleted records anonymised",
    "deleted records were not anonymised"
  )

/** Deletes events in the background when their retention period has passed. Every node does this. */
export const layerEventRetention = ({ events_retention }: Pick<Settings, "events_retention">) =>
  layerBatches(
    deleteOldEvents(Duration.toMillis(events_retention)),
    "old events deleted",
    "old events were not deleted"
  )
