import { Schema } from "effect"
import { field } from "../input/field.ts"
import { ProposalStatus } from "../loan/Proposal.ts"
import { PartnerId } from "../values/ids.ts"
import { Timestamp } from "../values/Timestamp.ts"

/** The types of the events about all records but proposals. */
const typesWithoutProposals = [
  "partner.created",
  "partner.updated",
  "partner.moved",
  "partner.deleted",
  "partner.activated",
  "partner.deactivated",
  "user.created",
  "user.updated",
  "user.deleted",
  "client.created",
  "client.rotated",
  "client.revoked",
  "application.created",
  "application.requoted",
  "application.quoted",
  "application.rejected",
  "application.quote_failed",
  "application.kyc_submitted",
  "application.accepted",
  "application.cancelled",
  "application.expired",
  "application.updated"
] as const

/** The type of the event for the new status of a proposal: `proposal.paid`. */
export const proposalType = <Status extends ProposalStatus>(status: Status): `proposal.${Lowercase<Status>}` =>
  // `toLowerCase` returns `string`, not the lower case of the literal.
  `proposal.${status.toLowerCase() as Lowercase<Status>}`

/** All types of events, in the order of a loan's life. */
export const eventTypes = [
  ...typesWithoutProposals,
  ...ProposalStatus.literals.map(proposalType),
  "proposal.updated"
] as const

/** The type of an event. */
export const EventType = Schema.Literals(eventTypes).annotate({
  identifier: "EventType",
  description: "The type of the event. `proposal.*` has one type for each status that a proposal enters, in lower case."
})
export type EventType = typeof EventType.Type

/** The names that select event types: the types, and groups such as `proposal.*`. */
export const eventTypeNames = [
  ...eventTypes,
  ...new Set(eventTypes.map((type) => `${type.slice(0, type.indexOf("."))}.*`))
]

/** Returns whether a name selects an event type: the name of the type, or a group such as `user.*`. */
export const isSelectedBy = (type: EventType, name: string): boolean =>
  type === name || name.endsWith(".*") && type.startsWith(name.slice(0, -1))

/** The kind of the record that an event is about. */
export const SubjectKind = Schema.Literals(["partner", "user", "client", "application", "proposal"])
export type SubjectKind = typeof SubjectKind.Type

/**
 * The kinds of actors that cause events. `lender`: an answer of the lender. `system`: Lastro itself, for example at the
 * expiry of a proposal.
 */
export const ActorKind = Schema.Literals(["user", "client", "operator", "lender", "system"])
export type ActorKind = typeof ActorKind.Type

/** A value of the data of an event: an id, a status, a code, an amount in reais, a count or a time. */
export const EventValue = Schema.Union([Schema.String, Schema.Finite, Schema.Boolean, Schema.Null])
export type EventValue = typeof EventValue.Type

/**
 * The data of an event: ids, statuses, codes, amounts and times. It never contains a name, a document, a contact, a PIX
 * key or an account.
 */
export type EventData = Readonly<Record<string, EventValue>>

/** An event before it is stored. */
export interface NewEvent {
  readonly type: EventType
  readonly subject: {
    readonly kind: SubjectKind
    readonly id: string
    /** The version of the record after the change. Null for a record without versions. */
    readonly version: number | null
  }
  readonly data: EventData
}

/** A stored event. */
export const DomainEvent = Schema.Struct({
  event_id: field(Schema.String, "The id of the event", "0197f3a2-9a1b-7c2d-8e3f-4a5b6c7d8e9f"),
  sequence: field(Schema.Int, "The place of the event in the feed of its tree; it never changes", 4711),
  type: field(EventType, "The type of the event", "proposal.paid"),
  occurred_at: field(Timestamp, "When it happened"),
  partner_id: field(PartnerId, "The id of the partner that the record belonged to when it happened"),
  subject: field(
    Schema.Struct({
      kind: field(SubjectKind, "The kind of the record"),
      id: field(Schema.String, "The id of the record"),
      version: field(Schema.NullOr(Schema.Int), "The version of the record after the change; null without versions")
    }),
    "The record, and its version after the change; null for a record without versions",
    { kind: "proposal", id: "0197f3a2-7d3e-7f4a-8b5c-6d7e8f9a0b1c", version: 9 }
  ),
  data: field(Schema.Record(Schema.String, EventValue), "Ids, statuses, codes, amounts and times. No personal data.", {
    application_id: "0197f3a2-6c2d-7e4f-9a5b-0c1d2e3f4051",
    status: "PAID"
  }),
  request_id: field(
    Schema.NullOr(Schema.String),
    "The `X-Request-Id` of the request if it is a UUID, a ULID or a trace id, otherwise a hash; null without a request",
    "0197f3a2-8c4e-7a5b-9d6f-7e8f9a0b1c2d"
  ),
  actor: field(
    Schema.Struct({
      kind: field(ActorKind, "The kind of the actor"),
      id: field(Schema.String, "The id of the user or API client, `operator`, `lender` or `lastro`")
    }),
    "The actor that caused the event",
    { kind: "lender", id: "lender" }
  )
}).annotate({ identifier: "Event", description: "Something that happened to a record" })
export type DomainEvent = typeof DomainEvent.Type

/** A part of the feed. The next read continues after the sequence `next`. */
export const EventFeed = Schema.Struct({
  data: field(Schema.Array(DomainEvent), "The events, in the order of their sequences"),
  next: field(Schema.Int, "Pass it as `after` to read on", 4711)
}).annotate({ identifier: "EventFeed", description: "A part of the feed of events" })
export interface EventFeed extends Schema.Schema.Type<typeof EventFeed> {}
