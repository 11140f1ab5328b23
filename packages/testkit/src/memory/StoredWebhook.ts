import { type PartnerId } from "@lastro/domain/values"
import { type DeliveryRecord, type Webhook, type WebhookSecrets } from "@lastro/domain/webhook"

/** A delivery with its body. */
export interface StoredDelivery {
  readonly record: DeliveryRecord
  readonly body: string
}

/** A webhook with its secrets, its place in the feed, its lease and its deliveries. Times are in milliseconds since 1970. */
export interface StoredWebhook {
  readonly webhook: Webhook
  readonly root_id: PartnerId
  readonly secrets: WebhookSecrets
  readonly cursor: number
  readonly failures: number
  readonly is_lagging: boolean
  readonly is_full: boolean
  readonly hold_until: number
  readonly fence: number
  readonly leased_until: number
  readonly deliveries: ReadonlyMap<string, StoredDelivery>
}
