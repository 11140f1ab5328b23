import { type EventType, eventTypes, SubjectKind } from "@lastro/domain/event"
import { type JsonObject } from "./JsonObject.ts"

/** The components of the OpenAPI document that describe the request headers of deliveries (Standard Webhooks 1.0). */
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

/** The names of the schemas of the data, by the first part of a type. */
const dataNames: Readonly<Record<string, string>> = Object.fromEntries(
  SubjectKind.literals.map((kind) => [kind, `${kind.charAt(0).toUpperCase()}${kind.slice(1)}EventData`])
)

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

/** Describes the delivery of events of one type to an endpoint. */
const deliveryOf = (type: EventType): JsonObject => ({
  post: {
    operationId: `on${type.split(/[._]/).map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join("")}`,
    tags: ["events"],
    summary: `Delivers an event of the type ${type}`,
    description:
      "Sent to every active webhook of this type. Verify the signature over the exact body before you parse it.",
    security: [],
    parameters: Object.keys(webhookParameters).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: { required: true, content: { "application/json": { schema: payloadOf(type) } } },
    responses: {
      "2XX": { description: "The event is delivered" },
      "410": { description: "The webhook is disabled" },
      default: { description: "The delivery is repeated. `Retry-After` is honoured" }
    }
  }
})

/** Describes the deliveries of every type of event, by type. */
export const webhooks: Readonly<Record<EventType, JsonObject>> = Object.fromEntries(
  eventTypes.map((type) => [type, deliveryOf(type)])
) as Record<EventType, JsonObject>
