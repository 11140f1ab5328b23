import { type PartnerId, timestampOf, type WebhookId } from "@lastro/domain/values"
import { type DeliveryRecord, type Webhook, type WebhookSecrets } from "@lastro/domain/webhook"

/** A delivery with its body. */
export interface StoredDelivery {
  readonly record: DeliveryRecord
  readonly body: string
}

/**
 * A webhook with its secrets, its cursor in the feed, its lease and its deliveries. Times are in milliseconds since
 * 1970.
 */
export interface StoredWebhook {
  readonly webhook: Webhook
  readonly root_id: PartnerId
  readonly secrets: WebhookSecrets
  readonly cursor: number
  readonly failures: number
  readonly is_lagging: boolean
  /** True if no more deliveries can wait for an attempt. */
  readonly is_full: boolean
  /** Before this time, only tests are delivered. */
  readonly hold_until: number
  /** The number of the latest lease. */
  readonly fence: number
  readonly leased_until: number
  readonly deliveries: ReadonlyMap<string, StoredDelivery>
}

/** A change of a webhook at a time. */
export type WebhookChange = (stored: StoredWebhook, at: number) => StoredWebhook

/** Returns a restarted delivery: due at once, without attempts. */
export const restarted = ({ body, record }: StoredDelivery, at: number): StoredDelivery => ({
  body,
  record: { ...record, status: "PENDING", attempts: 0, next_attempt_at: timestampOf(at) }
})

/** Makes a delivery that is due at once. */
export const newDelivery = (
  webhook_id: WebhookId,
  { body, ...event }: Pick<DeliveryRecord, "event_id" | "sequence" | "type"> & { readonly body: string },
  at: number
): StoredDelivery => ({
  body,
  record: {
    webhook_id,
    ...event,
    status: "PENDING",
    attempts: 0,
    last_status: null,
    last_fault: null,
    duration_ms: null,
    last_attempt_at: null,
    next_attempt_at: timestampOf(at),
    created_at: timestampOf(at)
  }
})

/** Adds or replaces a delivery. */
export const withDelivery = (stored: StoredWebhook, delivery: StoredDelivery): StoredWebhook => ({
  ...stored,
  deliveries: new Map(stored.deliveries).set(delivery.record.event_id, delivery)
})

/** Returns whether another attempt will follow. */
export const isPending = ({ record }: StoredDelivery): boolean => record.status === "PENDING"

/** Returns whether a delivery is a test. */
export const isTest = ({ record }: StoredDelivery): boolean => record.sequence === null

/** Returns the due deliveries. The one that has been due longest comes first. */
export const dueOf = (stored: StoredWebhook, at: number): ReadonlyArray<StoredDelivery> => {
  const isOpen = stored.webhook.status === "ACTIVE" && stored.hold_until <= at
  const now = timestampOf(at)
  return Array.from(stored.deliveries.values())
    .filter((delivery) =>
      isPending(delivery) && (delivery.record.next_attempt_at ?? now) <= now && (isOpen || isTest(delivery))
    )
    .toSorted((a, b) =>
      (a.record.next_attempt_at ?? "").localeCompare(b.record.next_attempt_at ?? "") ||
      (a.record.sequence ?? 0) - (b.record.sequence ?? 0)
    )
}

/** Returns the number of deliveries that wait for an attempt. */
export const openOf = ({ deliveries }: StoredWebhook): number =>
  Array.from(deliveries.values()).filter(isPending).length
