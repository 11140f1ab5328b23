export { type WebhookAnswer, type WebhookDelivery, type WebhookFault, WebhookSender } from "./WebhookSender.ts"
