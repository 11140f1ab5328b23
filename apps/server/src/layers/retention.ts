import { deleteOldAudit } from "@lastro/domain/audit"
import { deleteOldEvents } from "@lastro/domain/event"
import { anonymiseDeleted, eraseUnsold } from "@lastro/domain/privacy"
import { Duration, Effect, Layer } from "effect"
import { type Settings } from "../settings/Settings.ts"

/** The pause between two searches for data whose retention period has passed. */
export const retentionInterval = Duration.hours(1)

/** The time from the start of the node to the first search. An earlier one would slow down the start. */
export const firstRetentionDelay = Duration.minutes(1)

/** The pause between two batches, in which the database serves requests. */
const batchPause = Duration.millis(20)

/** Runs a job after the first delay, and then once an hour. Logs its result if it is not 0. Logs a failure. */
const layerRepeated = <E, R>(job: Effect.Effect<number, E, R>, done: string, failed: string) => {
  const logged = Effect.flatMap(
    job,
    (count) => count > 0 ? Effect.annotateLogs(Effect.logInfo(done), { count }) : Effect.void
  )
  const safely = Effect.catchCause(logged, (cause) => Effect.logWarning(`${failed}; retrying in an hour`, cause))
  return Layer.effectDiscard(Effect.forkScoped(
    Effect.andThen(
      Effect.sleep(firstRetentionDelay),
      Effect.forever(Effect.andThen(safely, Effect.sleep(retentionInterval)))
    )
  ))
}

/** Once an hour, repeats a batch until nothing is left. Logs a failure. */
const layerBatches = <E, R>(batch: Effect.Effect<number, E, R>, done: string, failed: string) => {
  const all = Effect.gen(function*() {
    let total = 0
    for (let count = yield* batch; count > 0; count = yield* batch) {
      total += count
      yield* Effect.sleep(batchPause)
    }
    return total
  })
  return layerRepeated(all, done, failed)
}

/**
 * Anonymises deleted users and partners in the background after their retention period. All nodes do this, and skip
 * records that another node is anonymising.
 */
export const layerDeletedRetention = ({ privacy: { deleted_retention } }: Pick<Settings, "privacy">) =>
  layerBatches(
    anonymiseDeleted(Duration.toMillis(deleted_retention)),
    "deleted records anonymised",
    "deleted records were not anonymised"
  )

/** Deletes events in the background after their retention period. All nodes do this. */
export const layerEventRetention = ({ events_retention }: Pick<Settings, "events_retention">) =>
  layerBatches(
    deleteOldEvents(Duration.toMillis(events_retention)),
    "old events deleted",
    "old events were not deleted"
  )

/** Deletes audit entries in the background after their retention period, if there is one. All nodes do this. */
export const layerAuditRetention = ({ audit_retention }: Pick<Settings, "audit_retention">) =>
  audit_retention === undefined
    ? Layer.empty
    : layerBatches(
      deleteOldAudit(Duration.toMillis(audit_retention)),
      "old audit entries deleted",
      "old audit entries were not deleted"
    )

/**
 * Erases applications that were never paid, in the background, after their retention period, if there is one. All nodes
 * do this, and skip applications that another transaction has locked.
 */
export const layerApplicationRetention = ({ privacy: { application_retention } }: Pick<Settings, "privacy">) => {
  if (application_retention === undefined) return Layer.empty
  const all = Effect.gen(function*() {
    const retentionMs = Duration.toMillis(application_retention)
    let { erased, next } = yield* eraseUnsold(retentionMs)
    while (next !== null) {
      yield* Effect.sleep(batchPause)
      const batch = yield* eraseUnsold(retentionMs, next)
      erased += batch.erased
      next = batch.next
    }
    return erased
  })
  return layerRepeated(all, "old applications erased", "old applications were not erased")
}

/** Deletes and erases data in the background after its retention period. */
export const layerRetention = (settings: Settings) =>
  Layer.mergeAll(
    layerApplicationRetention(settings),
    layerAuditRetention(settings),
    layerDeletedRetention(settings),
    layerEventRetention(settings)
  )
