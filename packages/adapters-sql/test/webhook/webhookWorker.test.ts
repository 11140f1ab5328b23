import { assert, describe, it } from "@effect/vitest"
import { layerWebhookWorker } from "@lastro/domain/adapters"
import { EventLog } from "@lastro/domain/event"
import { asOperator } from "@lastro/domain/hierarchy"
import { type PartnerDetail } from "@lastro/domain/partner"
import { IdGenerator, UnitOfWork } from "@lastro/domain/ports"
import { currentTimestamp } from "@lastro/domain/values"
import { WebhookQueue, WebhookRepository, WebhookSender } from "@lastro/domain/webhook"
import {
  freshId,
  layerMemory,
  layerRecordingWebhookSender,
  RecordingWebhookSender,
  type SentWebhook,
  storeRootPartner,
  storeWebhook,
  webhookAnswer
} from "@lastro/testkit"
import { Deferred, Effect, Layer, References } from "effect"
import { SqlClient } from "effect/sql"
import { waitUntil } from "../coordination.ts"
import { pglite, postgres } from "../databases.ts"

const services = Layer.mergeAll(
  layerRecordingWebhookSender,
  Layer.succeed(IdGenerator, { next: freshId }),
  Layer.succeed(References.MinimumLogLevel, "Error")
)

/** Appends events of a partner, in one unit of work each. Returns their ids. */
const happen = Effect.fnUntraced(function*({ partner_id }: PartnerDetail, count: number) {
  const log = yield* EventLog
  const { atomically } = yield* UnitOfWork
  const ids: Array<string> = []
  for (let index = 0; index < count; index++) {
    const event_id = yield* freshId
    yield* atomically(log.append([{
      event_id,
      type: "partner.updated",
      occurred_at: yield* currentTimestamp,
      partner_id,
      subject: { kind: "partner", id: partner_id, version: null },
      data: { partner_id },
      request_id: null,
      actor: { kind: "operator", id: "operator" }
    }]))
    ids.push(event_id)
  }
  return ids
})

const deliveredTo = (sent: ReadonlyArray<SentWebhook>, url: string) =>
  sent.filter((one) => one.url === url && one.answer.kind === "ANSWERED" && one.answer.status === 200)
    .map(({ event_id }) => event_id)

/** Makes the lease of every webhook expire, as 20 seconds after a crash. */
const expireLeases = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`update webhook set leased_until = now()`)

const databases = [["PostgreSQL", () => postgres()], ["PGlite", () => pglite()]] as const

describe.concurrent("the worker of webhooks", () => {
  for (const [name, database] of databases) {
    it.live(`on ${name}, dead and slow endpoints never delay a healthy one`, () =>
      Effect.gen(function*() {
        const { sent, setBehaviour } = yield* RecordingWebhookSender
        const root = yield* storeRootPartner()
        const healthy = "https://example.com/healthy"
        yield* storeWebhook(root, root, { url: healthy })
        for (let index = 0; index < 12; index++) {
          const url = `https://example.com/${index}`
          setBehaviour(url, (["dead", "slow", "failing", "redirect"] as const)[index % 4] ?? "dead")
          yield* storeWebhook(root, root, { url })
        }
        const worker = yield* Layer.build(layerWebhookWorker({ maxEndpoints: 8 }))
        assert.isDefined(worker)
        // The slow endpoints hold all places of endpoints that lag from the second event on.
        for (let round = 0; round < 3; round++) {
          const ids = yield* happen(root, 5)
          yield* waitUntil(
            "the healthy endpoint has the events",
            Effect.sync(() => ids.every((id) => deliveredTo(sent(), healthy).includes(id)))
          )
        }
      }).pipe(Effect.provide(Layer.provideMerge(services, database())), Effect.scoped), 60_000)

    it.live(
      `on ${name}, a node that dies after it has sent repeats the events with the same ids, and loses none`,
      () =>
        Effect.gen(function*() {
          const { sent } = yield* RecordingWebhookSender
          const queue = yield* WebhookQueue
          const root = yield* storeRootPartner()
          const url = "https://example.com/lastro"
          yield* storeWebhook(root, root, { url })
          const ids = yield* happen(root, 25)
          // The outcomes of this node never reach the database, and it does not give its lease back.
          const dying = Layer.succeed(WebhookQueue, {
            ...queue,
            settle: () => Effect.never,
            release: () => Effect.void
          })
          yield* Effect.scoped(Effect.andThen(
            Layer.build(Layer.provide(layerWebhookWorker(), dying)),
            waitUntil("the node has sent", Effect.sync(() => sent().length === 10))
          ))
          yield* Layer.build(layerWebhookWorker({ pollMs: 50 }))
          yield* Effect.sleep("200 millis")
          assert.strictEqual(sent().length, 10)
          yield* expireLeases
          yield* waitUntil("all events are there", Effect.sync(() => new Set(deliveredTo(sent(), url)).size === 25))
          assert.sameMembers([...new Set(deliveredTo(sent(), url))], ids)
          const bodies = new Set(sent().map(({ body, event_id }) => `${event_id} ${body}`))
          assert.strictEqual(bodies.size, 25)
        }).pipe(Effect.provide(Layer.provideMerge(services, database())), Effect.scoped),
      60_000
    )
  }

  it.live("a webhook that stops does not wait for the calls that wait for its transaction", () =>
    Effect.gen(function*() {
      const queue = yield* WebhookQueue
      const unitOfWork = yield* UnitOfWork
      const sender = yield* WebhookSender
      const root = yield* storeRootPartner()
      const gone = yield* storeWebhook(root, root, { url: "https://example.com/gone" })
      for (const name of ["a", "b", "c"]) yield* storeWebhook(root, root, { url: `https://example.com/${name}` })
      const begun = yield* Deferred.make<void>()
      const stopped = yield* Deferred.make<void>()
      let sending = 0
      let settling = 0
      const replaced = Layer.mergeAll(
        Layer.succeed(WebhookSender, {
          ...sender,
          send: ({ url }) => {
            if (url !== gone.url) {
              sending++
              return Effect.as(Deferred.await(begun), webhookAnswer(200))
            }
            return Effect.as(waitUntil("the others send", Effect.sync(() => sending === 3)), webhookAnswer(410))
          }
        }),
        Layer.succeed(WebhookQueue, {
          ...queue,
          settle: (lease, batch) => {
            if (lease.webhook_id === gone.webhook_id) return queue.settle(lease, batch)
            settling++
            return Effect.andThen(Deferred.await(stopped), queue.settle(lease, batch))
          }
        }),
        Layer.succeed(UnitOfWork, {
          ...unitOfWork,
          atomically: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
            unitOfWork.atomically(
              Deferred.succeed(begun, undefined).pipe(
                Effect.andThen(waitUntil("the others settle", Effect.sync(() => settling === 3))),
                Effect.andThen(effect)
              )
            ).pipe(Effect.ensuring(Deferred.succeed(stopped, undefined)))
        })
      )
      yield* happen(root, 1)
      yield* Layer.build(Layer.provide(layerWebhookWorker(), replaced))
      yield* Deferred.await(stopped)
      yield* waitUntil(
        "one webhook is disabled",
        Effect.map(queue.counts, ({ disabled, pending }) => disabled === 1 && pending === 0)
      )
    }).pipe(Effect.provide(Layer.provideMerge(services, layerMemory)), Effect.scoped))

  it.live("deliveries of a deleted webhook, and old ones, are deleted in the background", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const queue = yield* WebhookQueue
      const { find, remove } = yield* WebhookRepository
      const root = yield* storeRootPartner()
      const [one, other] = [
        yield* storeWebhook(root, root, { url: "https://a.example" }),
        yield* storeWebhook(root, root, { url: "https://b.example" })
      ]
      yield* happen(root, 6)
      const leases = yield* queue.claim({ healthy: 10, lagging: 10 })
      for (const lease of leases) {
        const { events, next } = yield* (yield* EventLog).read(root.partner_id, root.partner_id, {
          after: lease.cursor,
          limit: 100
        })
        yield* queue.advance(lease, { after: lease.cursor, events, next }, 0)
      }
      const found = yield* find(asOperator.scope(root.partner_id), one.webhook_id)
      assert.strictEqual(found._tag, "Some")
      yield* remove(asOperator.inScope(one))
      yield* sql`
        update webhook_delivery set status = 'DELIVERED', last_at = now() - interval '8 days'
        where webhook_id = ${other.webhook_id} and sequence <= 2`
      assert.strictEqual(yield* queue.prune(5), 5)
      assert.strictEqual(yield* queue.prune(5), 3)
      assert.strictEqual(yield* queue.prune(5), 0)
      const left = yield* sql<{ readonly count: number }>`select count(*)::int as count from webhook_delivery`
      assert.deepStrictEqual(left, [{ count: 4 }])
    }).pipe(Effect.provide(Layer.provideMerge(services, pglite()))), 60_000)
})
