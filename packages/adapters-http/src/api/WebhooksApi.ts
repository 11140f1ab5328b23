import {
  CreateWebhookRequest,
  DeliveriesPage,
  DeliveryRecord,
  DeliveryStatus,
  EmptyRequest,
  ReplayWebhookRequest,
  UpdateWebhookRequest,
  Webhook,
  webhookSortFields,
  WebhooksPage,
  WebhookStatus,
  WebhookWithSecret
} from "@lastro/domain/webhook"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ApiErrorResponse } from "./ApiError.ts"
import { Bearer, idempotencyKey, ifMatch, recordId, texts } from "./endpointParts.ts"
import { command, deletion, errorResponses, list, patch, read, recordCommand } from "./errorResponses.ts"
import { idFilter, listQuery } from "./listQuery.ts"

const params = { webhook_id: recordId("The webhook's id") }

const webhookCommand = {
  params,
  headers: idempotencyKey,
  error: errorResponses(ApiErrorResponse, recordCommand())
}

const noValues = Schema.toEncoded(EmptyRequest)

const deliveryCommand = {
  ...webhookCommand,
  payload: noValues,
  success: DeliveryRecord.pipe(HttpApiSchema.status(202))
}

/** Webhooks and their deliveries. */
export class WebhooksApi extends HttpApiGroup.make("webhooks").add(
  HttpApiEndpoint.get("listWebhooks", "/", {
    query: {
      ...listQuery(webhookSortFields),
      partner_id: idFilter("Webhooks of this partner only"),
      status: Schema.optionalKey(WebhookStatus)
    },
    success: WebhooksPage,
    error: errorResponses(ApiErrorResponse, list)
  }).annotateMerge(texts(
    "List webhooks",
    "Returns a page of the webhooks in the caller's subtree. Requires `webhooks:write`."
  )),
  HttpApiEndpoint.post("createWebhook", "/", {
    headers: idempotencyKey,
    payload: Schema.toEncoded(CreateWebhookRequest),
    success: WebhookWithSecret.pipe(HttpApiSchema.status(201)),
    error: errorResponses(ApiErrorResponse, command("OUTSIDE_HIERARCHY", "TOO_MANY_WEBHOOKS"))
  }).annotateMerge(texts(
    "Create a webhook",
    "Creates a webhook of the caller's partner, or of `partner_id` in the caller's subtree. It gets the events that are " +
      "stored from now on. The response contains the secret, which is not returned again. A partner has at most 20 " +
      "webhooks. Requires `webhooks:write`."
  )),
  HttpApiEndpoint.get("getWebhook", "/:webhook_id", {
    params,
    success: Webhook,
    error: errorResponses(ApiErrorResponse, read())
  }).annotateMerge(texts(
    "Get a webhook",
    "Returns a webhook in the caller's subtree. Requires `webhooks:write`."
  )),
  HttpApiEndpoint.patch("updateWebhook", "/:webhook_id", {
    params,
    headers: ifMatch,
    payload: Schema.toEncoded(UpdateWebhookRequest),
    success: Webhook,
    error: errorResponses(ApiErrorResponse, patch())
  }).annotateMerge(texts(
    "Update a webhook",
    "Changes the fields that the body contains. `status` `PAUSED` pauses the deliveries, and `ACTIVE` resumes them where " +
      "they stopped. `partner_id` is immutable. Requires `webhooks:write`."
  )),
  HttpApiEndpoint.delete("deleteWebhook", "/:webhook_id", {
    params,
    headers: ifMatch,
    success: HttpApiSchema.NoContent,
    error: errorResponses(ApiErrorResponse, deletion())
  }).annotateMerge(texts(
    "Delete a webhook",
    "Deletes a webhook with its deliveries. Requires `webhooks:write`."
  )),
  HttpApiEndpoint.post("rotateWebhookSecret", "/:webhook_id/rotate-secret", {
    ...webhookCommand,
    payload: noValues,
    success: WebhookWithSecret
  }).annotateMerge(texts(
    "Rotate the secret of a webhook",
    "Replaces the secret, and returns the new one. It is not returned again, also not in a replay. Deliveries are signed " +
      "with both secrets for 24 hours. Requires `webhooks:write`."
  )),
  HttpApiEndpoint.post("testWebhook", "/:webhook_id/test", deliveryCommand).annotateMerge(texts(
    "Test a webhook",
    "Sends an event of the type `webhook.test` once, whatever the status of the webhook. It is not in the feed. Read the " +
      "outcome from the deliveries. Requires `webhooks:write`."
  )),
  HttpApiEndpoint.get("listWebhookDeliveries", "/:webhook_id/deliveries", {
    params,
    query: { ...listQuery(webhookSortFields), status: Schema.optionalKey(DeliveryStatus) },
    success: DeliveriesPage,
    error: errorResponses(ApiErrorResponse, read("VALIDATION_FAILED"))
  }).annotateMerge(texts(
    "List the deliveries of a webhook",
    "Returns a page of the deliveries, newest first. Deliveries that ended more than 7 days ago are deleted. Requires " +
      "`webhooks:write`."
  )),
  HttpApiEndpoint.post("redeliverEvent", "/:webhook_id/deliveries/:event_id/redeliver", {
    ...deliveryCommand,
    params: { ...params, event_id: recordId("The id of the event") }
  }).annotateMerge(texts(
    "Redeliver an event",
    "Sends an event again, with the same `webhook-id`. If the webhook is not active, the delivery waits. Use a replay " +
      "for an event whose delivery was deleted. Requires `webhooks:write`."
  )),
  HttpApiEndpoint.post("replayWebhook", "/:webhook_id/replay", {
    ...webhookCommand,
    payload: Schema.toEncoded(ReplayWebhookRequest),
    success: Webhook.pipe(HttpApiSchema.status(202))
  }).annotateMerge(texts(
    "Replay events",
    "Delivers the events from `from_sequence` on again, inclusive, each with the same `webhook-id` as before. Requires " +
      "`webhooks:write`."
  ))
).prefix("/api/v1/webhooks").middleware(Bearer).annotateMerge(OpenApi.annotations({
  description:
    "A webhook delivers the events of a partner and of the partners below it to an endpoint, at least once, signed by " +
    "Standard Webhooks 1.0. The body is an `Event`."
})) {}
