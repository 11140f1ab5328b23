import { Effect } from "effect"
import { addMillis, currentTimestamp, type Timestamp } from "../values/Timestamp.ts"
import { EventLog } from "./EventLog.ts"

/** The default time for which events are kept, in milliseconds: 90 days. */
export const defaultEventRetentionMs = 90 * 86_400_000

/** Maximum number of events that one call deletes. */
const batchSize = 1_000

/**
 * Events are kept for the retention period after they happened: 90 days by default. Returns the time before which
 * events are deleted.
 * @rule EVENT-06
 */
export const eventsKeptFrom = (at: Timestamp, retentionMs: number): Timestamp => addMillis(at, -retentionMs)

/**
 * Deletes up to 1 000 events whose retention period has passed (EVENT-06). Returns their number: call it again until it
 * is 0. Several nodes can run it concurrently. For background work only.
 */
export const deleteOldEvents = Effect.fn("deleteOldEvents")(function*(retentionMs: number = defaultEventRetentionMs) {
  const before = eventsKeptFrom(yield* currentTimestamp, retentionMs)
  return yield* (yield* EventLog).deleteBefore(before, batchSize)
})
