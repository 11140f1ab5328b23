import { type DomainEvent } from "@lastro/domain/event"
import { millisOf, timestampOf } from "@lastro/domain/values"
import {
  type DeliveryStep,
  isExpired,
  type Webhook,
  type WebhookLease,
  webhookLeaseMs,
  WebhookQueue
} from "@lastro/domain/webhook"
import { Clock, Effect, Layer } from "effect"
import { feedOf } from "./event.ts"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import { alter, type MemoryState, put } from "./MemoryState.ts"
import { placeOf } from "./partner.ts"
import {
  dueOf,
  isPending,
  isTest,
  newDelivery,
  openOf,
  restarted,
  type StoredWebhook,
  type WebhookChange,
  withDelivery
} from "./StoredWebhook.ts"

/** Returns whether the partner of a webhook and its ancestors are active and not deleted. */
const isServed = (state: MemoryState, { webhook }: StoredWebhook): boolean =>
  placeOf(state, webhook.partner_id)?.partners_active === true

/** Returns whether a webhook has something to deliver and is not leased. */
const hasWork = (state: MemoryState, stored: StoredWebhook, at: number): boolean => {
  const { cursor, hold_until, is_full, leased_until, root_id, webhook } = stored
  if (leased_until > at || !isServed(state, stored)) return false
  if (dueOf(stored, at).length > 0) return true
  return webhook.status === "ACTIVE" && hold_until <= at && !is_full &&
    feedOf(state, root_id).last > cursor
}

/** Returns up to `limit` webhooks. Trees take turns. */
const inTurns = (webhooks: ReadonlyArray<StoredWebhook>, limit: number): ReadonlyArray<StoredWebhook> => {
  const places = new Map<string, number>()
  return webhooks.map((stored) => {
    const place = (places.get(stored.root_id) ?? 0) + 1
    places.set(stored.root_id, place)
    return { stored, place }
  }).toSorted((a, b) => a.place - b.place).slice(0, limit).map(({ stored }) => stored)
}

const leaseOf = (stored: StoredWebhook): WebhookLease => ({
  webhook_id: stored.webhook.webhook_id,
  partner_id: stored.webhook.partner_id,
  root_id: stored.root_id,
  types: stored.webhook.types,
  cursor: stored.cursor,
  open: openOf(stored),
  failures: stored.failures,
  is_lagging: stored.is_lagging,
  is_active: stored.webhook.status === "ACTIVE",
  fence: stored.fence
})

const stepOf = ({ events }: MemoryState, stored: StoredWebhook, at: number, limit: number): DeliveryStep => ({
  ...leaseOf(stored),
  url: stored.webhook.url,
  secrets: stored.secrets,
  due: dueOf(stored, at).slice(0, limit).map((pending) => ({
    event_id: pending.record.event_id,
    body: pending.body,
    attempts: pending.record.attempts,
    is_test: isTest(pending),
    traceparent: events.find(({ entry }) => entry.event_id === pending.record.event_id)?.traceparent ?? null
  }))
})

/** Adds the delivery of an event. A pending delivery of the event is unchanged, and any other starts again. */
const withEvent = (stored: StoredWebhook, event: DomainEvent, at: number): StoredWebhook => {
  const { event_id, sequence, type } = event
  const delivery = stored.deliveries.get(event_id)
  if (delivery === undefined) {
    const added = { event_id, sequence, type, body: JSON.stringify(event) }
    return withDelivery(stored, newDelivery(stored.webhook.webhook_id, added, at))
  }
  return isPending(delivery) ? stored : withDelivery(stored, restarted(delivery, at))
}

/** In-memory `WebhookQueue`. */
export const layerWebhookQueue = Layer.effect(
  WebhookQueue,
  Effect.map(MemoryDatabase, ({ state, update }) => {
    /** Changes a webhook if the lease is still the latest one. Returns the webhook before and after. */
    const changeHeld = ({ fence, webhook_id }: WebhookLease, by: WebhookChange) =>
      Effect.gen(function*() {
        const at = yield* Clock.currentTimeMillis
        let change: { readonly before: StoredWebhook; readonly after: StoredWebhook } | undefined
        yield* update((now) =>
          alter(now, "webhooks", webhook_id, (stored) => {
            if (stored.fence !== fence) return stored
            change = { before: stored, after: by({ ...stored, leased_until: at + webhookLeaseMs }, at) }
            return change.after
          })
        )
        return change === undefined ? undefined : { ...change, at }
      })
    return WebhookQueue.of({
      claim: ({ healthy, lagging }) =>
        Effect.gen(function*() {
          const at = yield* Clock.currentTimeMillis
          let leases: ReadonlyArray<WebhookLease> = []
          yield* update((now) => {
            const waiting = Array.from(now.webhooks.values()).filter((stored) => hasWork(now, stored, at))
            const claimed = [
              ...inTurns(waiting.filter(({ is_lagging }) => !is_lagging), healthy),
              ...inTurns(waiting.filter(({ is_lagging }) => is_lagging), lagging)
            ].map((stored) => ({ ...stored, fence: stored.fence + 1, leased_until: at + webhookLeaseMs }))
            leases = claimed.map(leaseOf)
            return claimed.reduce((next, stored) => put(next, "webhooks", stored.webhook.webhook_id, stored), now)
          })
          return leases
        }),
      advance: (lease, part, limit) =>
        Effect.flatMap(
          changeHeld(lease, (stored, at) => {
            if (part === null || stored.webhook.status !== "ACTIVE" || stored.cursor !== part.after) return stored
            return part.events.reduce(
              (next, event) => withEvent(next, event, at),
              { ...stored, cursor: part.next }
            )
          }),
          (changed) =>
            Effect.map(state, (now) => changed === undefined ? null : stepOf(now, changed.after, changed.at, limit))
        ),
      settle: (lease, batch) =>
        Effect.map(
          changeHeld(lease, (stored, at) => {
            const now = timestampOf(at)
            const settled = batch.outcomes.reduce((next, outcome) => {
              const known = next.deliveries.get(outcome.event_id)
              if (known === undefined || !isPending(known)) return next
              return withDelivery(next, {
                ...known,
                record: {
                  ...known.record,
                  status: outcome.status,
                  attempts: known.record.attempts + 1,
                  last_status: outcome.last_status,
                  last_fault: outcome.last_fault,
                  duration_ms: outcome.duration_ms,
                  last_attempt_at: now,
                  next_attempt_at: outcome.after_ms === null ? null : timestampOf(at + outcome.after_ms)
                }
              })
            }, stored)
            const { health, version } = settled.webhook
            const stops = batch.stop !== null && settled.webhook.status === "ACTIVE"
            return {
              ...settled,
              failures: batch.failures,
              is_lagging: batch.is_lagging,
              hold_until: batch.hold_ms === null ? settled.hold_until : at + batch.hold_ms,
              webhook: {
                ...settled.webhook,
                ...(stops ? { ...batch.stop, updated_at: now, version: version + 1 } : {}),
                health: {
                  last_success_at: batch.succeeded ? now : health.last_success_at,
                  last_failure_at: batch.failure === null ? health.last_failure_at : now,
                  last_failure: batch.failure ?? health.last_failure
                }
              }
            }
          }),
          (changed) =>
            changed === undefined || changed.before.webhook.status === changed.after.webhook.status
              ? null
              : { before: changed.before.webhook, after: changed.after.webhook }
        ),
      release: (lease, window) =>
        Effect.asVoid(
          changeHeld(lease, (stored) => ({ ...stored, leased_until: 0, is_full: openOf(stored) >= window }))
        ),
      prune: (limit) =>
        Effect.gen(function*() {
          const at = yield* Clock.currentTimeMillis
          let remaining = limit
          yield* update((now) =>
            Array.from(now.webhooks.values()).reduce((next, stored) =>
              put(next, "webhooks", stored.webhook.webhook_id, {
                ...stored,
                deliveries: new Map(
                  Array.from(stored.deliveries).filter(([, { record }]) => {
                    const { last_attempt_at } = record
                    const isOld = last_attempt_at !== null && isExpired(record, at - millisOf(last_attempt_at))
                    if (!isOld || remaining === 0) return true
                    remaining -= 1
                    return false
                  })
                )
              }), now)
          )
          return limit - remaining
        }),
      counts: Effect.gen(function*() {
        const at = yield* Clock.currentTimeMillis
        const now = yield* state
        const webhooks = Array.from(now.webhooks.values())
        const withStatus = (status: Webhook["status"]) =>
          webhooks.filter(({ webhook }) => webhook.status === status).length
        const due = webhooks.flatMap((stored) =>
          stored.webhook.status === "ACTIVE" && isServed(now, stored) ?
            dueOf(stored, at).map(({ record }) => record.next_attempt_at) :
            []
        )
        const oldest = Math.min(at, ...due.map((time) => Date.parse(time ?? "")))
        return {
          active: withStatus("ACTIVE"),
          paused: withStatus("PAUSED"),
          disabled: withStatus("DISABLED"),
          pending: webhooks.reduce((sum, stored) => sum + openOf(stored), 0),
          oldest_due_seconds: (at - oldest) / 1_000
        }
      })
    })
  })
)
