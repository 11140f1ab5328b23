import { Context, type Effect } from "effect"
import { type PartnerId } from "../values/ids.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { type ActorKind, type DomainEvent, type EventType, type NewEvent } from "./DomainEvent.ts"

/** An event to store. The log adds its sequence and the partners above it. */
export interface EventEntry extends NewEvent {
  readonly event_id: string
  readonly occurred_at: Timestamp
  readonly partner_id: PartnerId
  readonly request_id: string | null
  readonly actor: { readonly kind: ActorKind; readonly id: string }
}

/** Which events to read. */
export interface EventQuery {
  /** The events after this sequence. */
  readonly after: number
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

/** Stores events, and reads them in the order of their sequences. */
export class EventLog extends Context.Service<EventLog, {
  /**
   * Appends events in the transaction of their change. Records who is above the partner at this time: its ancestors and
   * itself. Writers of one tree do not wait for each other.
   */
  readonly append: (entries: ReadonlyArray<EventEntry>) => Effect.Effect<void>
  /**
   * Reads the events that happened to `partner` or below it, as of the time when they happened, after a sequence.
   * Sequences are given to committed events in ascending order within a tree, so that a reader that continues from
   * `next` never misses and never repeats an event, whatever commits at the same time. Events of one transaction keep
   * their order. A sequence never changes. Do not call it in a unit of work.
   */
  readonly read: (partner: PartnerId, root: PartnerId, query: EventQuery) => Effect.Effect<EventSlice>
  /** Returns the sequence of the newest committed event of a tree; 0 if there is none. Do not call it in a unit of work. */
  readonly last: (root: PartnerId) => Effect.Effect<number>
}>()("@lastro/domain/event/EventLog") {}
