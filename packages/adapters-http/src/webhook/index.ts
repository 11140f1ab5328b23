// Deliveries of events to the endpoints of receivers.
export { layerWebhookSender, type WebhookSenderOptions } from "./layerWebhookSender.ts"
export { parseSecretsKeys, type SecretsKey } from "./SecretBox.ts"
export { type WebhookAllowance } from "./webhookAddress.ts"
export { type ResolveName } from "./webhookTransport.ts"
