import { compareBy } from "@lastro/domain/input"
import { type PartnerId, timestampOf, type WebhookId } from "@lastro/domain/values"
import {
  type DeliveryRecord,
  type DeliveryStep,
  type Webhook,
  type WebhookLease,
  webhookLeaseMs,
  WebhookQueue,
  WebhookRepository
} from "@lastro/domain/webhook"
import { Clock, Effect, Layer, Option } from "effect"
import { feedOf } from "./event.ts"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import { alter, type MemoryState, put, sealWithin } from "./MemoryState.ts"
import { placeOf } from "./partner.ts"
import { listRows, matchesValue, readSlice } from "./readSlice.ts"
import { type StoredDelivery, type StoredWebhook } from "./StoredWebhook.ts"

type Change = (stored: StoredWebhook, now: number) => StoredWebhook

/** A delivery that begins anew. */
const begun = ({ body, record }: StoredDelivery, at: number): StoredDelivery => ({
  body,
  record: { ...record, status: "PENDING", attempts: 0, next_attempt_at: timestampOf(at) }
})

const newDelivery = (
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

const withDelivery = (stored: StoredWebhook, delivery: StoredDelivery): StoredWebhook => ({
  ...stored,
  deliveries: new Map(stored.deliveries).set(delivery.record.event_id, delivery)
})

const passes =
  (filters: { readonly partner_id?: PartnerId; readonly status?: Webhook["status"] }) =>
  ({ partner_id, status }: Webhook): boolean =>
    matchesValue(partner_id, filters.partner_id) && matchesValue(status, filters.status)

const byTime = { created_at: ({ created_at }: { readonly created_at: string }) => created_at }

const inOrder = compareBy<Webhook, "created_at">(byTime, ({ webhook_id }) => webhook_id)

const deliveriesInOrder = compareBy<DeliveryRecord, "created_at">(byTime, ({ event_id }) => event_id)

const newestFirst = inOrder([{ property: "created_at", direction: "desc" }])

const listed = ({ webhooks }: MemoryState): ReadonlyArray<Webhook> =>
  Array.from(webhooks.values(), ({ webhook }) => webhook)

/** In-memory `WebhookRepository`. */
export const layerWebhookRepository = Layer.effect(
  WebhookRepository,
  Effect.map(MemoryDatabase, ({ state, update }) => {
    const find: WebhookRepository["Service"]["find"] = (scope, id) =>
      Effect.map(state, (now) =>
        Option.map(
          Option.fromUndefinedOr(now.webhooks.get(id)),
          ({ webhook }) => sealWithin(now, scope, webhook.partner_id, webhook)
        ))
    const change = ({ webhook_id }: Webhook, by: Change) =>
      Effect.flatMap(
        Clock.currentTimeMillis,
        (at) => update((now) => alter(now, "webhooks", webhook_id, (stored) => by(stored, at)))
      )
    const stored = ({ webhook_id }: Webhook) =>
      Effect.flatMap(state, ({ webhooks }) => Effect.orDie(Effect.fromNullishOr(webhooks.get(webhook_id))))
    return WebhookRepository.of({
      find,
      findForUpdate: find,
      list: listRows(state, { rows: listed, passes, inOrder }),
      listAll: (limit) => Effect.map(state, (now) => listed(now).toSorted(newestFirst).slice(0, limit)),
      findOwner: (id) =>
        Effect.map(state, ({ webhooks }) => Option.fromUndefinedOr(webhooks.get(id)?.webhook.partner_id)),
      count: ({ record }) =>
        Effect.map(state, (now) => listed(now).filter(({ partner_id }) => partner_id === record).length),
      insert: (owner, webhook, { cursor, root_id, secret }) =>
        update((now) =>
          put(now, "webhooks", webhook.webhook_id, {
            webhook: { ...webhook, partner_id: owner.record },
            root_id,
            secrets: { current: secret, previous: null },
            cursor,
            failures: 0,
            is_lagging: false,
            is_full: false,
            hold_until: 0,
            fence: 0,
            leased_until: 0,
            deliveries: new Map()
          })
        ),
      update: ({ record }, after) =>
        change(record, (one) => {
          const { created_at, health, partner_id } = one.webhook
          return { ...one, webhook: { ...after, created_at, health, partner_id } }
        }),
      setSecret: ({ record }, secret, valid_until) =>
        change(record, (one) => ({
          ...one,
          secrets: { current: secret, previous: { secret: one.secrets.current, valid_until } }
        })),
      remove: ({ record }) =>
        update((now) => {
          const webhooks = new Map(now.webhooks)
          webhooks.delete(record.webhook_id)
          return { ...now, webhooks }
        }),
      restart: ({ record }) =>
        change(record, (one, at) => ({
          ...one,
          failures: 0,
          hold_until: 0,
          is_full: false,
          deliveries: new Map(Array.from(one.deliveries, ([id, delivery]) =>
            [
              id,
              delivery.record.status === "DELIVERED" || delivery.record.sequence === null
                ? delivery
                : begun(delivery, at)
            ] as const))
        })),
      moveCursor: Effect.fnUntraced(function*({ record }, by) {
        const cursor = by((yield* stored(record)).cursor)
        yield* change(record, (one) => ({ ...one, cursor }))
        return cursor
      }),
      listDeliveries: ({ record }, { filters, page, sort }, budget) =>
        Effect.flatMap(stored(record), ({ deliveries }) =>
          readSlice({
            inScope: Array.from(deliveries.values(), (one) => one.record),
            passes: ({ status }) => matchesValue(status, filters.status),
            filters: { ...filters, webhook: true },
            order: deliveriesInOrder(sort),
            page,
            budget
          })),
      findDelivery: ({ record }, event_id) =>
        Effect.map(
          stored(record),
          ({ deliveries }) => Option.map(Option.fromUndefinedOr(deliveries.get(event_id)), (one) => one.record)
        ),
      addTest: ({ record }, test) =>
        change(record, (one, at) => withDelivery(one, newDelivery(record.webhook_id, test, at))),
      redeliver: ({ record }, event_id) =>
        change(record, (one, at) => {
          const delivery = one.deliveries.get(event_id)
          return delivery === undefined ? one : withDelivery(one, begun(delivery, at))
        })
    })
  })
)

const isPending = ({ record }: StoredDelivery): boolean => record.status === "PENDING"

const isTest = ({ record }: StoredDelivery): boolean => record.sequence === null

/** Returns the deliveries that are due, those that have been due longest first. */
const dueOf = (stored: StoredWebhook, at: number): ReadonlyArray<StoredDelivery> => {
  const isOpen = stored.webhook.status === "ACTIVE" && stored.hold_until <= at
  const now = timestampOf(at)
  return Array.from(stored.deliveries.values())
    .filter((one) => isPending(one) && (one.record.next_attempt_at ?? now) <= now && (isOpen || isTest(one)))
    .toSorted((one, other) =>
      (one.record.next_attempt_at ?? "").localeCompare(other.record.next_attempt_at ?? "") ||
      (one.record.sequence ?? 0) - (other.record.sequence ?? 0)
    )
}

const openOf = ({ deliveries }: StoredWebhook): number => Array.from(deliveries.values()).filter(isPending).length

const hasWork = (state: MemoryState, stored: StoredWebhook, at: number): boolean => {
  const { cursor, hold_until, is_full, leased_until, root_id, webhook } = stored
  if (leased_until > at || placeOf(state, webhook.partner_id)?.partners_active !== true) return false
  if (dueOf(stored, at).length > 0) return true
  return webhook.status === "ACTIVE" && hold_until <= at && !is_full &&
    feedOf(state, root_id).last > cursor
}

/** Returns the first webhooks of a list in which trees take turns. */
const inTurns = (webhooks: ReadonlyArray<StoredWebhook>, limit: number): ReadonlyArray<StoredWebhook> => {
  const places = new Map<string, number>()
  return webhooks.map((stored) => {
    const place = (places.get(stored.root_id) ?? 0) + 1
    places.set(stored.root_id, place)
    return { stored, place }
  }).toSorted((one, other) => one.place - other.place).slice(0, limit).map(({ stored }) => stored)
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

const stepOf = (stored: StoredWebhook, at: number, limit: number): DeliveryStep => ({
  ...leaseOf(stored),
  url: stored.webhook.url,
  secrets: stored.secrets,
  due: dueOf(stored, at).slice(0, limit).map((one) => ({
    event_id: one.record.event_id,
    body: one.body,
    attempts: one.record.attempts,
    is_test: isTest(one)
  }))
})

/** In-memory `WebhookQueue`. */
export const layerWebhookQueue = Layer.effect(
  WebhookQueue,
  Effect.map(MemoryDatabase, ({ state, update }) => {
    /** Changes a webhook if this node still holds it. Returns the webhook before and after. */
    const changeHeld = ({ fence, webhook_id }: WebhookLease, by: Change) =>
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
        Effect.map(
          changeHeld(lease, (stored, at) => {
            if (part === null || stored.webhook.status !== "ACTIVE" || stored.cursor !== part.after) return stored
            return part.events.reduce(
              (next, event) => {
                const known = next.deliveries.get(event.event_id)
                if (known !== undefined && isPending(known)) return next
                const added = { ...event, body: JSON.stringify(event) }
                const { event_id, sequence, type, body } = added
                return withDelivery(
                  next,
                  known === undefined
                    ? newDelivery(lease.webhook_id, { event_id, sequence, type, body }, at)
                    : begun(known, at)
                )
              },
              { ...stored, cursor: part.next }
            )
          }),
          (changed) => changed === undefined ? null : stepOf(changed.after, changed.at, limit)
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
          const until = timestampOf((yield* Clock.currentTimeMillis) - 7 * 86_400_000)
          let pruned = 0
          yield* update((now) =>
            Array.from(now.webhooks.values()).reduce((next, stored) =>
              put(next, "webhooks", stored.webhook.webhook_id, {
                ...stored,
                deliveries: new Map(
                  Array.from(stored.deliveries).filter(([, one]) => {
                    const isOld = isEnded(one) && (one.record.last_attempt_at ?? until) < until
                    return !isOld || ++pruned > limit
                  })
                )
              }), now)
          )
          return Math.min(pruned, limit)
        }),
      counts: Effect.gen(function*() {
        const at = yield* Clock.currentTimeMillis
        const webhooks = Array.from((yield* state).webhooks.values())
        const withStatus = (status: Webhook["status"]) =>
          webhooks.filter(({ webhook }) => webhook.status === status).length
        const due = webhooks.flatMap((stored) =>
          stored.webhook.status === "ACTIVE" ? dueOf(stored, at).map(({ record }) => record.next_attempt_at) : []
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

/** A delivery has ended if it was delivered, or if it was a test. A FAILED event waits for its webhook to resume. */
const isEnded = (one: StoredDelivery): boolean =>
  one.record.status === "DELIVERED" || one.record.status === "FAILED" && isTest(one)
