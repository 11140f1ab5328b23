import { EventLog } from "@lastro/domain/event"
import { type PartnerDetail } from "@lastro/domain/partner"
import { currentTimestamp } from "@lastro/domain/values"
import {
  type DeliveryOutcome,
  type SettledBatch,
  type Webhook,
  type WebhookLease,
  type WebhookQuery,
  WebhookQueue,
  WebhookRepository
} from "@lastro/domain/webhook"
import { assert } from "chai"
import { Effect } from "effect"
import { storeEvents } from "../event/storedEvents.ts"
import { requireInScope, scopeOfPartner } from "../suite/queries.ts"

/** Returns the query of a list. `fields` overrides the defaults. */
export const query = (fields: Partial<WebhookQuery> = {}): WebhookQuery => ({
  filters: {},
  page: { number: 0, size: 100 },
  sort: [{ property: "created_at", direction: "asc" }],
  ...fields
})

/** Stores events of a partner that occur now, and returns their ids. */
export const happen = (partner: PartnerDetail, count = 1) =>
  Effect.flatMap(currentTimestamp, (occurred_at) => storeEvents(partner, count, { occurred_at }))

/** Finds a webhook as a caller of its partner. */
export const foundWebhook = (partner: PartnerDetail, { webhook_id }: Webhook) =>
  requireInScope(WebhookRepository.use((webhooks) => webhooks.find(scopeOfPartner(partner), webhook_id)))

/** Reads a webhook as a caller of its partner. */
export const readWebhook = (partner: PartnerDetail, webhook: Webhook) =>
  Effect.map(foundWebhook(partner, webhook), ({ record }) => record)

/** Claims all webhooks that have something to deliver. A webhook can be claimed again after its release. */
export const claimAll = WebhookQueue.use((queue) => queue.claim({ healthy: 10_000, lagging: 10_000 }))

/** Claims a webhook, and releases all others. Returns undefined if the webhook has nothing to deliver. */
export const claimOf = Effect.fnUntraced(function*({ webhook_id }: Webhook) {
  const leases = yield* claimAll
  const queue = yield* WebhookQueue
  for (const lease of leases) if (lease.webhook_id !== webhook_id) yield* queue.release(lease, 10_000)
  return leases.find((lease) => lease.webhook_id === webhook_id)
})

/** Claims a webhook. The case fails if the webhook has nothing to deliver. */
export const mustClaim = Effect.fnUntraced(function*(webhook: Webhook) {
  const lease = yield* claimOf(webhook)
  if (lease === undefined) return assert.fail("The webhook has nothing to deliver")
  return lease
})

/** Returns whether a webhook has something to deliver. Claims the webhook for that, and releases it. */
export const hasDeliveries = Effect.fnUntraced(function*(webhook: Webhook) {
  const lease = yield* claimOf(webhook)
  if (lease !== undefined) yield* (yield* WebhookQueue).release(lease, 10_000)
  return lease !== undefined
})

/** Reads the feed of a webhook after its cursor. */
export const readFeed = Effect.fnUntraced(function*({ cursor, partner_id, root_id }: WebhookLease) {
  const { events, next } = yield* (yield* EventLog).read(partner_id, root_id, { after: cursor, limit: 1_000 })
  return { after: cursor, events, next }
})

/**
 * Stores the events after the cursor of a leased webhook as deliveries. Returns the ids of the due deliveries, or
 * undefined if the lease was lost.
 */
export const planAll = Effect.fnUntraced(function*(lease: WebhookLease, limit = 10) {
  const step = yield* (yield* WebhookQueue).advance(lease, yield* readFeed(lease), limit)
  return step?.due.map(({ event_id }) => event_id)
})

/** Returns the ids of the due deliveries of a leased webhook, or undefined if the lease was lost. */
export const dueOf = Effect.fnUntraced(function*(lease: WebhookLease, limit = 10) {
  const step = yield* (yield* WebhookQueue).advance(lease, null, limit)
  return step?.due.map(({ event_id }) => event_id)
})

/** The outcome of an attempt that succeeded. */
export const delivered = (event_id: string): DeliveryOutcome => ({
  event_id,
  status: "DELIVERED",
  last_status: 200,
  last_fault: null,
  duration_ms: 12,
  after_ms: null
})

/** The outcome of a failed attempt, after which the next attempt is due in `after_ms` milliseconds. */
export const failed = (event_id: string, after_ms: number): DeliveryOutcome => ({
  event_id,
  status: "PENDING",
  last_status: null,
  last_fault: "TIMEOUT",
  duration_ms: 10_000,
  after_ms
})

/** Builds a batch of outcomes. `fields` overrides the defaults. */
export const batch = (outcomes: ReadonlyArray<DeliveryOutcome>, fields: Partial<SettledBatch> = {}): SettledBatch => ({
  outcomes,
  failures: 0,
  is_lagging: false,
  hold_ms: null,
  succeeded: outcomes.some(({ status }) => status === "DELIVERED"),
  failure: null,
  stop: null,
  ...fields
})

/** Reads the deliveries of a webhook, in the order of their sequences. */
export const readDeliveries = Effect.fnUntraced(function*(partner: PartnerDetail, webhook: Webhook) {
  const found = yield* foundWebhook(partner, webhook)
  const { items } = yield* (yield* WebhookRepository).listDeliveries(found, { ...query(), filters: {} })
  return items.toSorted((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0))
})
