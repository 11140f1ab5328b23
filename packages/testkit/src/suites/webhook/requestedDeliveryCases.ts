import { type EventLog } from "@lastro/domain/event"
import { type PartnerRepository } from "@lastro/domain/partner"
import { type UnitOfWork } from "@lastro/domain/ports"
import { type DeliveryQuery, DeliveryRecord, WebhookQueue, WebhookRepository } from "@lastro/domain/webhook"
import { assert } from "chai"
import { Effect, Option } from "effect"
import { storeWebhook } from "../../builders/aWebhook.ts"
import { freshId } from "../../builders/Fresh.ts"
import { storeRootPartner } from "../../builders/storedRecords.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import {
  batch,
  delivered,
  dueOf,
  failed,
  foundWebhook,
  happen,
  hasDeliveries,
  mustClaim,
  planAll,
  query,
  readDeliveries
} from "./webhookFixtures.ts"

/** Contract cases for the deliveries that callers request from WebhookRepository. */
export const requestedDeliveryCases: ContractCases<
  EventLog | PartnerRepository | UnitOfWork | WebhookQueue | WebhookRepository
> = (it) => {
  it("WEBHOOK-10 `moveCursor` changes the cursor, so that the events after it are delivered again", function*() {
    const root = yield* storeRootPartner()
    const webhook = yield* storeWebhook(root)
    const ids = yield* happen(root, 3)
    const lease = yield* mustClaim(webhook)
    assert.deepStrictEqual(yield* planAll(lease), ids)
    const queue = yield* WebhookQueue
    yield* queue.settle(lease, batch(ids.map(delivered)))
    yield* queue.release(lease, 100)
    assert.isFalse(yield* hasDeliveries(webhook))
    const found = yield* foundWebhook(root, webhook)
    const cursor = yield* (yield* WebhookRepository).moveCursor(found, (cursor) => cursor - 2)
    const again = yield* mustClaim(webhook)
    assert.strictEqual(again.cursor, cursor)
    assert.deepStrictEqual(yield* planAll(again), ids.slice(1))
    const [first, ...others] = yield* readDeliveries(root, webhook)
    assert.strictEqual(first?.status, "DELIVERED")
    assert.deepStrictEqual(others.map(({ attempts, status }) => [status, attempts]), [["PENDING", 0], ["PENDING", 0]])
  })

  it("`restart` begins every delivery that is not DELIVERED anew, and ends a hold; tests stay as they are", function*() {
    const { addTest, restart } = yield* WebhookRepository
    const root = yield* storeRootPartner()
    const webhook = yield* storeWebhook(root)
    const test = yield* freshId
    const testDelivery = { event_id: test, sequence: null, type: "webhook.test", body: "{}" }
    yield* addTest(yield* foundWebhook(root, webhook), testDelivery)
    const [first = "", second = "", third = ""] = yield* happen(root, 3)
    const queue = yield* WebhookQueue
    const lease = yield* mustClaim(webhook)
    yield* planAll(lease)
    yield* queue.settle(
      lease,
      batch([
        { ...delivered(test), status: "FAILED", last_status: 500 },
        delivered(first),
        failed(second, 3_600_000),
        { ...failed(third, 0), status: "FAILED", after_ms: null }
      ], { failures: 30, hold_ms: 3_600_000 })
    )
    yield* queue.release(lease, 1)
    assert.isFalse(yield* hasDeliveries(webhook))
    yield* restart(yield* foundWebhook(root, webhook))
    const again = yield* mustClaim(webhook)
    assert.strictEqual(again.failures, 0)
    assert.sameMembers([...(yield* dueOf(again)) ?? []], [second, third])
    const stored = new Map((yield* readDeliveries(root, webhook)).map((record) => [record.event_id, record]))
    assert.deepStrictEqual(
      [test, first, second, third].map((id) => [stored.get(id)?.status, stored.get(id)?.attempts]),
      [["FAILED", 1], ["DELIVERED", 1], ["PENDING", 0], ["PENDING", 0]]
    )
  })

  it("WEBHOOK-12 `redeliver` begins a delivery anew, whatever its status", function*() {
    const { findDelivery, redeliver } = yield* WebhookRepository
    const root = yield* storeRootPartner()
    const webhook = yield* storeWebhook(root)
    const [id = ""] = yield* happen(root)
    const queue = yield* WebhookQueue
    const lease = yield* mustClaim(webhook)
    yield* planAll(lease)
    yield* queue.settle(lease, batch([delivered(id)]))
    yield* redeliver(yield* foundWebhook(root, webhook), id)
    // The request arrived while the webhook was leased.
    yield* queue.release(lease, 100)
    assert.deepStrictEqual(yield* dueOf(yield* mustClaim(webhook)), [id])
    const found = yield* foundWebhook(root, webhook)
    const { attempts, status } = Option.getOrThrow(yield* findDelivery(found, id))
    assert.deepStrictEqual([status, attempts], ["PENDING", 0])
    for (const unknown of [yield* freshId, "00000000-0000-0000-0000-000000000000"]) {
      assert.isTrue(Option.isNone(yield* findDelivery(found, unknown)))
    }
  })

  it("WEBHOOK-11 `addTest` stores a test that is due whatever the status of the webhook", function*() {
    const root = yield* storeRootPartner()
    const webhook = yield* storeWebhook(root, root, { status: "DISABLED", stop_reason: "GONE" })
    yield* happen(root)
    assert.isFalse(yield* hasDeliveries(webhook))
    const test = { event_id: yield* freshId, sequence: null, type: "webhook.test", body: `{"a":"é"}` }
    yield* (yield* WebhookRepository).addTest(yield* foundWebhook(root, webhook), test)
    const queue = yield* WebhookQueue
    const lease = yield* mustClaim(webhook)
    const step = yield* queue.advance(lease, null, 10)
    assert.deepStrictEqual(step?.due, [{
      event_id: test.event_id,
      body: test.body,
      attempts: 0,
      is_test: true,
      traceparent: null
    }])
    yield* queue.settle(lease, batch([delivered(test.event_id)], { succeeded: false }))
    yield* queue.release(lease, 100)
    assert.isFalse(yield* hasDeliveries(webhook))
    const [record] = yield* readDeliveries(root, webhook)
    assert.deepStrictEqual([record?.sequence, record?.status, record?.last_status], [null, "DELIVERED", 200])
  })

  it("`listDeliveries` returns the deliveries of one webhook that match the filter, and their number", function*() {
    const { listDeliveries } = yield* WebhookRepository
    const root = yield* storeRootPartner()
    const webhook = yield* storeWebhook(root)
    const other = yield* storeWebhook(root)
    const [first = "", second = ""] = yield* happen(root, 2)
    const queue = yield* WebhookQueue
    for (const claimed of [webhook, other]) {
      const lease = yield* mustClaim(claimed)
      yield* planAll(lease)
      yield* queue.settle(lease, batch([delivered(first), failed(second, 60_000)]))
    }
    const found = yield* foundWebhook(root, webhook)
    const read = (filters: DeliveryQuery["filters"], size = 10) =>
      Effect.map(
        listDeliveries(found, { ...query(), filters, page: { number: 0, size } }),
        ({ items, total }) => [items.map(({ event_id }) => event_id), total]
      )
    assert.deepStrictEqual(yield* read({ status: "DELIVERED" }), [[first], 1])
    assert.deepStrictEqual(yield* read({ status: "PENDING" }), [[second], 1])
    assert.deepStrictEqual(yield* read({ status: "FAILED" }), [[], 0])
    assert.strictEqual((yield* read({}))[1], 2)
    assert.strictEqual((yield* read({}, 1))[1], 2)
    for (const record of yield* readDeliveries(root, webhook)) {
      assert.sameMembers(Object.keys(record), Object.keys(DeliveryRecord.fields))
    }
  })
}
