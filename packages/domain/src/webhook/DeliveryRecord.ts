import { Schema } from "effect"
import { field } from "../input/field.ts"
import { pageSchema } from "../input/Page.ts"
import { WebhookId } from "../values/ids.ts"
import { Timestamp } from "../values/Timestamp.ts"

/** The status of a delivery. */
export const DeliveryStatus = Schema.Literals(["PENDING", "DELIVERED", "FAILED"]).annotate({
  description:
    "`PENDING`: an attempt will follow. `DELIVERED`: the endpoint answered 2xx. `FAILED`: no attempt follows " +
    "until the webhook is resumed, or the event is redelivered."
})
export type DeliveryStatus = typeof DeliveryStatus.Type

/** The delivery of one event to a webhook. */
export const DeliveryRecord = Schema.Struct({
  webhook_id: WebhookId,
  event_id: field(
    Schema.String,
    "The id of the event, in the header `webhook-id`",
    "0197f3a2-9a1b-7c2d-8e3f-4a5b6c7d8e9f"
  ),
  sequence: field(Schema.NullOr(Schema.Int), "The sequence of the event; null for a test", 4711),
  type: field(Schema.String, "The type of the event, or `webhook.test`", "proposal.paid"),
  status: DeliveryStatus,
  attempts: field(Schema.Int, "The number of attempts since the delivery was last requested", 1),
  last_status: field(Schema.NullOr(Schema.Int), "The HTTP status of the last answer; null without an answer", 200),
  last_fault: field(Schema.NullOr(Schema.String), "Why the last attempt had no answer; null otherwise", "TIMEOUT"),
  duration_ms: field(Schema.NullOr(Schema.Int), "The duration of the last attempt in milliseconds", 84),
  last_attempt_at: field(Schema.NullOr(Timestamp), "When the last attempt ended; null before the first one"),
  next_attempt_at: field(Schema.NullOr(Timestamp), "When the next attempt is due; null if none follows"),
  created_at: field(Timestamp, "When the delivery was first due")
}).annotate({ identifier: "WebhookDelivery", description: "The delivery of one event to a webhook" })
export type DeliveryRecord = typeof DeliveryRecord.Type

/** A page of deliveries. */
export const DeliveriesPage = pageSchema(DeliveryRecord, "WebhookDeliveriesPage")
export type DeliveriesPage = typeof DeliveriesPage.Type
