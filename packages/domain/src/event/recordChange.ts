import { Effect } from "effect"
import { RequestId } from "../audit/AuditLog.ts"
import { type AuditedAction, recordAudit } from "../audit/recordAudit.ts"
import { IdGenerator } from "../ports/generators.ts"
import { type ActorKind, type NewEvent } from "./DomainEvent.ts"
import { EventLog } from "./EventLog.ts"

/** The principal that caused a change. `system` is Lastro itself. */
export interface Actor {
  readonly subject: string
  readonly kind: "user" | "client" | "host" | "lender" | "system"
}

/** A change of a record: its audit entry, its events and its actor. */
export interface Change extends Omit<AuditedAction, "caller"> {
  /** Null for the operator at the command line. */
  readonly caller: Actor | null
  readonly events: ReadonlyArray<NewEvent>
}

/** Returns the actor of an event. A user of the host application counts as a user. */
export const actorOf = (caller: Actor | null): { readonly kind: ActorKind; readonly id: string } =>
  caller === null
    ? { kind: "operator", id: "operator" }
    : { kind: caller.kind === "host" ? "user" : caller.kind, id: caller.subject }

/** Appends the events of a change, in the transaction of the change. */
export const appendEvents = Effect.fnUntraced(function*(
  { at, caller, events, partner_id }: Pick<Change, "at" | "caller" | "events" | "partner_id">
) {
  const request_id = yield* RequestId
  const ids = yield* IdGenerator
  const entries = yield* Effect.forEach(events, (event) =>
    Effect.map(ids.next, (event_id) => ({
      ...event,
      event_id,
      occurred_at: at,
      partner_id,
      request_id,
      actor: actorOf(caller)
    })))
  yield* (yield* EventLog).append(entries)
})

/**
 * Records a change in the audit, and appends its events. Every use case that changes a record calls it, in the
 * transaction of the change.
 */
export const recordChange = Effect.fnUntraced(function*({ events, ...mutation }: Change) {
  yield* recordAudit(mutation)
  if (events.length > 0) yield* appendEvents({ ...mutation, events })
})
