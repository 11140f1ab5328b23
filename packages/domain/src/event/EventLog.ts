import { Context, type Effect } from "effect"
import { Refusal } from "../input/Refusal.ts"
import { type PartnerId } from "../values/ids.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { type ActorKind, type DomainEvent, type EventType, type NewEvent } from "./DomainEvent.ts"

/** An event to store. The log adds its sequence and the ancestors of its partner. */
export interface EventEntry extends NewEvent {
  readonly event_id: string
  readonly occurred_at: Timestamp
  readonly partner_id: PartnerId
  readonly request_id: string | null
  readonly actor: { readonly kind: ActorKind; readonly id: string }
}

/** Selects the events to read. */
export interface EventQuery {
  /** Only events after this sequence. Absent: from the oldest kept event. */
  readonly after?: number
  /** Maximum number of events. */
  readonly limit: number
  /** The types. Absent: all types. */
  readonly types?: ReadonlyArray<EventType>
  /** The id of the record. Absent: any record. */
  readonly subject_id?: string
}

/** A part of the feed of a partner. */
export interface EventSlice {
  /** In the order of their sequences. */
  readonly events: ReadonlyArray<DomainEvent>
  /** The sequence up to which the feed was read. The next read continues after it. */
  readonly next: number
}

/**
 * Events after the given sequence were deleted, because they were older than the retention period (EVENT-06). A reader
 * that continues from `oldest` skips them.
 */
export class EventsExpired extends Refusal(
  "EventsExpired",
  "Events after this sequence have been deleted. Read without `after` to continue from the oldest event.",
  ["oldest"]
)<{
  /** The sequence after which no event has been deleted. */
  readonly oldest: number
}> {}

/** Stores events, and reads them in the order of their sequences. */
export class EventLog extends Context.Service<EventLog, {
  /**
   * Appends events in the transaction of their change. Records the partner and its ancestors at this time. Writers of
   * one tree do not wait for each other. Stores the trace context of the current span with each event.
   */
  readonly append: (entries: ReadonlyArray<EventEntry>) => Effect.Effect<void>
  /**
   * Reads the events of `partner`, and of the partners that were below it when the event happened, after a sequence.
   * Sequences are given to committed events in ascending order within a tree. So a reader that continues from `next`
   * never misses and never repeats an event, whatever commits at the same time. Events of one transaction keep their
   * order. A sequence never changes. Fails with {@link EventsExpired} if an event after the given sequence was deleted.
   * Do not call it in a unit of work.
   */
  readonly read: (
    partner: PartnerId,
    root: PartnerId,
    query: EventQuery
  ) => Effect.Effect<EventSlice, EventsExpired>
  /**
   * Returns the sequence of the newest committed event of a tree; 0 if there is none. Do not call it in a unit of work.
   */
  readonly last: (root: PartnerId) => Effect.Effect<number>
  /**
   * Completes when a tree has a committed event after a sequence: at once if it has one, otherwise at the commit, or at
   * most 250 ms later if another process commits. Can also complete without such an event. Meanwhile, it holds no
   * database connection.
   */
  readonly arrival: (root: PartnerId, after: number) => Effect.Effect<void>
  /**
   * Deletes up to `limit` events of one tree in the order of their sequences, and stops at the first event that did not
   * happen before this time. Returns their number; 0 if no tree has such events. Sequences of deleted events are not
   * used again.
   */
  readonly deleteBefore: (before: Timestamp, limit: number) => Effect.Effect<number>
}>()("@lastro/domain/event/EventLog") {}
