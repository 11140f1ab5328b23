export { type DeliverySlots, endedKeptMs, isExpired } from "./attempts.ts"
export { deliverDueWebhooks } from "./deliverWebhook.ts"
export { DeliveriesPage, DeliveryRecord, DeliveryStatus } from "./DeliveryRecord.ts"
export { TooManyWebhooks, type WebhookSecrets } from "./endpoint.ts"
export {
  CreateWebhookRequest,
  EmptyRequest,
  ReplayWebhookRequest,
  UpdateWebhookRequest,
  Webhook,
  WebhooksPage,
  type WebhookState,
  WebhookStatus,
  WebhookWithSecret
} from "./Webhook.ts"
export {
  type DeliveryOutcome,
  type DeliveryStep,
  type DueDelivery,
  type FeedPart,
  type SettledBatch,
  type WebhookCounts,
  type WebhookLease,
  webhookLeaseMs,
  WebhookQueue
} from "./WebhookQueue.ts"
export {
  type DeliveryQuery,
  type RequestedDelivery,
  type WebhookFilters,
  type WebhookQuery,
  WebhookRepository,
  webhookSortFields,
  type WebhookStart
} from "./WebhookRepository.ts"
export {
  layerSenderOfContext,
  type WebhookAnswer,
  type WebhookDelivery,
  type WebhookFault,
  WebhookSender
} from "./WebhookSender.ts"
