import { type Result } from "effect"
import { type Caller } from "../access/Caller.ts"
import { type Page } from "../input/Page.ts"
import { type DeliveryRecord } from "../webhook/DeliveryRecord.ts"
import {
  type CreateWebhookRequest,
  type ReplayWebhookRequest,
  type UpdateWebhookRequest,
  type Webhook,
  type WebhookState,
  type WebhookWithSecret
} from "../webhook/Webhook.ts"
import { type CallOptions, type ChangeOptions, type CreateOptions } from "./CallOptions.ts"
import { type OperationFailure, type Untrusted } from "./OperationFailure.ts"

/** The operations on webhooks, as functions. `CallerFunctions` describes them. */
export interface WebhookFunctions {
  /** Lists the webhooks in the caller's subtree, one page at a time. */
  readonly listWebhooks: (
    caller: Caller,
    query?: unknown,
    options?: CallOptions
  ) => Promise<Result.Result<Page<Webhook>, OperationFailure<"listWebhooks">>>
  /** Creates a webhook. Its secret is returned only once. */
  readonly createWebhook: (
    caller: Caller,
    body: Untrusted<CreateWebhookRequest>,
    options?: CreateOptions
  ) => Promise<Result.Result<WebhookWithSecret, OperationFailure<"createWebhook">>>
  /** Reads one webhook. */
  readonly getWebhook: (
    caller: Caller,
    webhook_id: string,
    options?: CallOptions
  ) => Promise<Result.Result<Webhook, OperationFailure<"getWebhook">>>
  /** Changes a webhook, pauses it or resumes it. Only the fields in the body change. */
  readonly updateWebhook: (
    caller: Caller,
    webhook_id: string,
    body: Untrusted<UpdateWebhookRequest>,
    options?: ChangeOptions<WebhookState>
  ) => Promise<Result.Result<Webhook, OperationFailure<"updateWebhook">>>
  /** Deletes a webhook with its deliveries. */
  readonly deleteWebhook: (
    caller: Caller,
    webhook_id: string,
    options?: ChangeOptions<WebhookState>
  ) => Promise<Result.Result<void, OperationFailure<"deleteWebhook">>>
  /** Replaces the secret of a webhook. The new one is returned only once. Both secrets sign for 24 hours. */
  readonly rotateWebhookSecret: (
    caller: Caller,
    webhook_id: string,
    body?: Untrusted,
    options?: CreateOptions
  ) => Promise<Result.Result<WebhookWithSecret, OperationFailure<"rotateWebhookSecret">>>
  /** Sends a test event to a webhook, once. */
  readonly testWebhook: (
    caller: Caller,
    webhook_id: string,
    body?: Untrusted,
    options?: CreateOptions
  ) => Promise<Result.Result<DeliveryRecord, OperationFailure<"testWebhook">>>
  /** Lists the deliveries of a webhook, newest first, one page at a time. */
  readonly listWebhookDeliveries: (
    caller: Caller,
    webhook_id: string,
    query?: unknown,
    options?: CallOptions
  ) => Promise<Result.Result<Page<DeliveryRecord>, OperationFailure<"listWebhookDeliveries">>>
  /** Sends an event to a webhook again. */
  readonly redeliverEvent: (
    caller: Caller,
    webhook_id: string,
    event_id: string,
    body?: Untrusted,
    options?: CreateOptions
  ) => Promise<Result.Result<DeliveryRecord, OperationFailure<"redeliverEvent">>>
  /** Delivers the events from a sequence on again. */
  readonly replayWebhook: (
    caller: Caller,
    webhook_id: string,
    body: Untrusted<ReplayWebhookRequest>,
    options?: CreateOptions
  ) => Promise<Result.Result<Webhook, OperationFailure<"replayWebhook">>>
}
