import { type PartnerId } from "@lastro/domain/values"
import { type DeliveryRecord, type Webhook, WebhookRepository } from "@lastro/domain/webhook"
import { Clock, Effect, Layer, Option } from "effect"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import { alter, type MemoryState, put, sealWithin, withoutEntry } from "./MemoryState.ts"
import { ListOrder, listRows, matchesValue, readSlice } from "./readSlice.ts"
import { newDelivery, restarted, type WebhookChange, withDelivery } from "./StoredWebhook.ts"

const passes =
  (filters: { readonly partner_id?: PartnerId; readonly status?: Webhook["status"] }) =>
  ({ partner_id, status }: Webhook): boolean =>
    matchesValue(partner_id, filters.partner_id) && matchesValue(status, filters.status)

const byTime = { created_at: ({ created_at }: { readonly created_at: string }) => created_at }

const inOrder = new ListOrder<Webhook, "created_at">(byTime, ({ webhook_id }) => webhook_id)

const deliveriesInOrder = new ListOrder<DeliveryRecord, "created_at">(byTime, ({ event_id }) => event_id)

const newestFirst = inOrder.compare([{ property: "created_at", direction: "desc" }])

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
    const change = ({ webhook_id }: Webhook, by: WebhookChange) =>
      Effect.flatMap(
        Clock.currentTimeMillis,
        (at) => update((now) => alter(now, "webhooks", webhook_id, (stored) => by(stored, at)))
      )
    const read = ({ webhook_id }: Webhook) =>
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
        change(record, (stored) => {
          const { created_at, health, partner_id } = stored.webhook
          return { ...stored, webhook: { ...after, created_at, health, partner_id } }
        }),
      setSecret: ({ record }, secret, valid_until) =>
        change(record, (stored) => ({
          ...stored,
          secrets: { current: secret, previous: { secret: stored.secrets.current, valid_until } }
        })),
      remove: ({ record }) => update((now) => ({ ...now, webhooks: withoutEntry(now.webhooks, record.webhook_id) })),
      restart: ({ record }) =>
        change(record, (stored, at) => ({
          ...stored,
          failures: 0,
          hold_until: 0,
          is_full: false,
          deliveries: new Map(Array.from(stored.deliveries, ([id, delivery]) =>
            [
              id,
              delivery.record.status === "DELIVERED" || delivery.record.sequence === null
                ? delivery
                : restarted(delivery, at)
            ] as const))
        })),
      moveCursor: Effect.fnUntraced(function*({ record }, by) {
        const cursor = by((yield* read(record)).cursor)
        yield* change(record, (stored) => ({ ...stored, cursor }))
        return cursor
      }),
      listDeliveries: ({ record }, query, budget) =>
        Effect.flatMap(read(record), ({ deliveries }) =>
          readSlice({
            inScope: Array.from(deliveries.values(), (delivery) => delivery.record),
            passes: ({ status }) => matchesValue(status, query.filters.status),
            query: { ...query, filters: { ...query.filters, webhook: true } },
            order: deliveriesInOrder,
            budget
          })),
      findDelivery: ({ record }, event_id) =>
        Effect.map(
          read(record),
          ({ deliveries }) =>
            Option.map(Option.fromUndefinedOr(deliveries.get(event_id)), (delivery) => delivery.record)
        ),
      addTest: ({ record }, test) =>
        change(record, (stored, at) => withDelivery(stored, newDelivery(record.webhook_id, test, at))),
      redeliver: ({ record }, event_id) =>
        change(record, (stored, at) => {
          const delivery = stored.deliveries.get(event_id)
          return delivery === undefined ? stored : withDelivery(stored, restarted(delivery, at))
        })
    })
  })
)
