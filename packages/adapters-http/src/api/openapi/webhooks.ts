import { DomainEvent, type EventType, eventTypes, SubjectKind } from "@lastro/domain/event"
import { type JsonObject } from "./JsonObject.ts"

/** The components of the OpenAPI document for the request headers of webhook deliveries (Standard Webhooks 1.0). */
export const webhookParameters = {
  WebhookId: {
    name: "webhook-id",
    in: "header",
    required: true,
    description: "The `event_id`. A repeated delivery has the same id: process each id once.",
    schema: { type: "string", format: "uuid" }
  },
  WebhookTimestamp: {
    name: "webhook-timestamp",
    in: "header",
    required: true,
    description: "The time of the attempt, in seconds since 1970. Refuse a delivery older than five minutes.",
    schema: { type: "string", pattern: "^\\d+$" }
  },
  WebhookSignature: {
    name: "webhook-signature",
    in: "header",
    required: true,
    description:
      "`v1,` and the HMAC-SHA256 of `id.timestamp.body` in Base64, for each live secret. Signatures are separated by a space.",
    schema: { type: "string" }
  }
} as const satisfies Readonly<Record<string, JsonObject>>

const schemas = "#/components/schemas"

/** The schema names of event data, by the first part of the event type. */
const dataNames: Readonly<Record<string, string>> = Object.fromEntries(
  SubjectKind.literals.map((kind) => [kind, `${kind.charAt(0).toUpperCase()}${kind.slice(1)}EventData`])
)

/** The type of a test delivery, which is not in the feed. */
const testType = "webhook.test"

/** The payload of a test delivery: an event about the webhook itself. */
const testPayload: JsonObject = {
  type: "object",
  properties: {
    ...Object.fromEntries(
      ["event_id", "occurred_at", "partner_id", "request_id", "actor"].map((name) => [
        name,
        { $ref: `${schemas}/Event/properties/${name}` }
      ])
    ),
    sequence: { const: 0, description: "A test has no place in the feed" },
    type: { const: testType },
    subject: {
      type: "object",
      properties: { kind: { const: "webhook" }, id: { type: "string" }, version: { type: "integer" } },
      required: ["kind", "id", "version"]
    },
    data: { type: "object", properties: { webhook_id: { type: "string" } }, required: ["webhook_id"] }
  },
  required: Object.keys(DomainEvent.fields)
}

const payloadOf = (type: EventType): JsonObject => {
  const [kind = ""] = type.split(".")
  return {
    allOf: [
      { $ref: `${schemas}/Event` },
      {
        type: "object",
        properties: {
          type: { const: type },
          subject: { type: "object", properties: { kind: { const: kind } } },
          data: { $ref: `${schemas}/${dataNames[kind]}` }
        }
      }
    ]
  }
}

/** Describes the delivery of one type of event to an endpoint. */
const deliveryOf = (type: string, schema: JsonObject): JsonObject => ({
  post: {
    operationId: `on${type.split(/[._]/).map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join("")}`,
    tags: ["webhooks"],
    summary: `Delivers an event of the type ${type}`,
    description:
      "Sent to every active webhook of this type. Verify the signature over the exact body before you parse it.",
    security: [],
    parameters: Object.keys(webhookParameters).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: { required: true, content: { "application/json": { schema } } },
    responses: {
      "2XX": { description: "The event is delivered" },
      "410": { description: "The webhook is disabled" },
      default: { description: "The delivery is repeated. `Retry-After` is honoured" }
    }
  }
})

/** The deliveries of each type of event and of a test, by type. */
export const webhooks: Readonly<Record<string, JsonObject>> = {
  ...Object.fromEntries(eventTypes.map((type) => [type, deliveryOf(type, payloadOf(type))])),
  [testType]: deliveryOf(testType, testPayload)
}
