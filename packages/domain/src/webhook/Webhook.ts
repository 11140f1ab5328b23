import { Schema } from "effect"
import { type EventType, eventTypeNames, eventTypes, isSelectedBy } from "../event/DomainEvent.ts"
import { field } from "../input/field.ts"
import { problem } from "../input/FieldProblem.ts"
import { pageSchema } from "../input/Page.ts"
import { textSchema } from "../input/Text.ts"
import { failsWith } from "../input/textParser.ts"
import { wholeNumber } from "../input/wholeNumber.ts"
import { PartnerId, WebhookId } from "../values/ids.ts"
import { Timestamp } from "../values/Timestamp.ts"

/** The status of a webhook. */
export const WebhookStatus = Schema.Literals(["ACTIVE", "PAUSED", "DISABLED"]).annotate({
  description:
    "`ACTIVE`: events are delivered. `PAUSED`: deliveries wait, and none is dropped. `DISABLED`: the endpoint " +
    "answered 410, and deliveries wait."
})
export type WebhookStatus = typeof WebhookStatus.Type

const WebhookStopReason = Schema.Literals(["CALLER", "RETRIES_EXHAUSTED", "GONE"]).annotate({
  identifier: "WebhookStopReason",
  description:
    "`CALLER`: a caller paused it. `RETRIES_EXHAUSTED`: an event could not be delivered for 7 days. `GONE`: " +
    "the endpoint answered 410."
})

const TypeName = Schema.Literals(eventTypeNames).annotate({
  identifier: "EventTypeOrGroup",
  description: "A type of event, such as `proposal.paid`, or a group of types, such as `user.*`"
})

/** Returns the event types of a list of types and groups. Undefined for an empty list, which means all types. */
export const typesNamed = (names: ReadonlyArray<string>): ReadonlyArray<EventType> | undefined =>
  names.length === 0 ? undefined : eventTypes.filter((type) => names.some((name) => isSelectedBy(type, name)))

/** Maximum length of the address of an endpoint. */
const maxUrlLength = 2_048

/** Maximum number of types and groups that a webhook lists. */
const maxTypes = 50

const url = field(
  textSchema({ min: 1, max: maxUrlLength }),
  "The address of the endpoint: `https`, without user, password and fragment",
  "https://example.com/lastro"
)

const types = field(
  Schema.Array(TypeName).check(Schema.isMaxLength(maxTypes, failsWith(problem("TOO_LONG", { max_items: maxTypes })))),
  "The types and groups of events that are delivered, such as `proposal.paid` and `user.*`; empty: all",
  ["proposal.*"]
)

const description = field(
  Schema.NullOr(textSchema({ min: 1, max: 200 })),
  "A note for people, without personal data",
  "Payments to the ledger"
)

const WebhookHealth = Schema.Struct({
  last_success_at: field(Schema.NullOr(Timestamp), "When the endpoint last answered 2xx; null if never"),
  last_failure_at: field(Schema.NullOr(Timestamp), "When an attempt last failed; null if never"),
  last_failure: field(
    Schema.NullOr(Schema.String),
    "The last failure: the HTTP status, or the reason why there was no answer",
    "TIMEOUT"
  )
}).annotate({
  identifier: "WebhookHealth",
  description: "The last deliveries. They are not part of the `ETag`."
})

/** A webhook: an endpoint of a partner, and the events that are delivered to it. */
export const Webhook = Schema.Struct({
  webhook_id: WebhookId,
  partner_id: field(PartnerId, "The partner whose events, and those of the partners below it, are delivered"),
  url,
  types,
  description,
  status: WebhookStatus,
  stop_reason: field(Schema.NullOr(WebhookStopReason), "Why it is not active; null while it is active", null),
  created_at: field(Timestamp, "When the record was created"),
  updated_at: field(Timestamp, "When the record last changed"),
  version: field(Schema.Int, "Increases with each change of the record", 1),
  health: WebhookHealth
}).annotate({ identifier: "Webhook", description: "An endpoint to which events are delivered" })
export type Webhook = typeof Webhook.Type

/** The fields of a webhook for preconditions. Deliveries do not change them. */
export type WebhookState = Omit<Webhook, "health">

/** A page of webhooks. */
export const WebhooksPage = pageSchema(Webhook, "WebhooksPage")
export type WebhooksPage = typeof WebhooksPage.Type

/** A webhook with its new secret, in the response to its creation and to a rotation. */
export const WebhookWithSecret = Schema.Struct({
  ...Webhook.fields,
  secret: field(
    Schema.optionalKey(Schema.String),
    "The secret that verifies the signatures. It is returned only here, and not in a replay.",
    "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
  )
}).annotate({ identifier: "WebhookWithSecret", description: "The fields of `Webhook`, and the new secret" })
export type WebhookWithSecret = typeof WebhookWithSecret.Type

/** The request body that creates a webhook. */
export const CreateWebhookRequest = Schema.Struct({
  url,
  types: field(Schema.optionalKey(types), "The types and groups of events; absent or empty: all", ["proposal.*"]),
  partner_id: field(
    Schema.optionalKey(PartnerId),
    "The id of the webhook's partner, in the caller's subtree. Default: the caller's own partner."
  ),
  description: Schema.optionalKey(description)
}).annotate({ identifier: "CreateWebhookRequest", description: "Request body that creates a webhook" })
export type CreateWebhookRequest = typeof CreateWebhookRequest.Type

/** The request body that patches a webhook. */
export const UpdateWebhookRequest = Schema.Struct({
  url: Schema.optionalKey(url),
  types: Schema.optionalKey(types),
  partner_id: field(Schema.optionalKey(PartnerId), "Immutable: a patch may only repeat it"),
  description: Schema.optionalKey(description),
  status: field(Schema.optionalKey(WebhookStatus), "`PAUSED` pauses the webhook, and `ACTIVE` resumes it", "ACTIVE")
}).annotate({
  identifier: "UpdateWebhookRequest",
  description: "Request body that changes a webhook. Only the fields present change.",
  examples: [{ status: "ACTIVE" }]
})
export type UpdateWebhookRequest = typeof UpdateWebhookRequest.Encoded

/** The request body that delivers events again. */
export const ReplayWebhookRequest = Schema.Struct({
  from_sequence: field(
    wholeNumber({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    "The sequence of the first event, inclusive",
    4711
  )
}).annotate({ identifier: "ReplayWebhookRequest", description: "Request body that delivers events again" })
export type ReplayWebhookRequest = typeof ReplayWebhookRequest.Encoded

/** The body of an operation that takes no values. It is optional. */
export const EmptyRequest = Schema.Record(Schema.String, Schema.Never).annotate({
  identifier: "EmptyWebhookRequest",
  description: "Empty request body",
  examples: [{}]
})
