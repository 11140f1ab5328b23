import { type EventLog } from "@lastro/domain/event"
import { asOperator } from "@lastro/domain/hierarchy"
import { PartnerRepository } from "@lastro/domain/partner"
import { type UnitOfWork } from "@lastro/domain/ports"
import { type WebhookLease, WebhookQueue, WebhookRepository } from "@lastro/domain/webhook"
import { assert } from "chai"
import { Effect, Struct, Tracer } from "effect"
import { storeWebhook } from "../../builders/aWebhook.ts"
import { storeForest, storeRootPartner } from "../../builders/storedRecords.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { findPartnerForUpdate, removePartner } from "../suite/storedRecords.ts"
import { repeatInParallel, rollBack } from "../suite/transactions.ts"
import {
  batch,
  claimAll,
  delivered,
  dueOf,
  failed,
  foundWebhook,
  happen,
  hasDeliveries,
  mustClaim,
  planAll,
  readFeed,
  readWebhook
} from "./webhookFixtures.ts"

/** Returns the field `is_lagging` of each lease. */
const laggingOf = (leases: ReadonlyArray<WebhookLease>) => leases.map(({ is_lagging }) => is_lagging)

/** Contract cases for WebhookQueue. */
export const webhookQueueCases: ContractCases<
  EventLog | PartnerRepository | UnitOfWork | WebhookQueue | WebhookRepository
> = (it) => {
  it("an active webhook is claimed if its tree has events after its cursor, and `advance` stores them as deliveries", function*() {
    const { advance } = yield* WebhookQueue
    const [root, child] = yield* storeForest([null, 0])
    yield* happen(child)
    const webhook = yield* storeWebhook(child, root)
    assert.isFalse(yield* hasDeliveries(webhook))
    yield* rollBack(happen(child))
    assert.isFalse(yield* hasDeliveries(webhook))
    const ids = yield* happen(child, 2)
    const lease = yield* mustClaim(webhook)
    assert.deepStrictEqual(
      [lease.partner_id, lease.root_id, lease.open, lease.failures, lease.is_lagging, lease.is_active],
      [child.partner_id, root.partner_id, 0, 0, false, true]
    )
    const part = yield* readFeed(lease)
    const step = yield* advance(lease, part, 10)
    assert.deepStrictEqual([step?.cursor, step?.open, step?.url], [part.next, 2, webhook.url])
    assert.deepStrictEqual(
      step?.due.map((due) => Struct.omit(due, ["traceparent"])),
      part.events.map((event) => ({
        event_id: event.event_id,
        body: JSON.stringify(event),
        attempts: 0,
        is_test: false
      }))
    )
    assert.deepStrictEqual(step?.due.map(({ event_id }) => event_id), ids)
  })

  it("a delivery has the `traceparent` of the change that caused its event", function*() {
    const [root] = yield* storeForest([null])
    const webhook = yield* storeWebhook(root, root)
    const span = Tracer.externalSpan({ traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" })
    yield* Effect.withParentSpan(happen(root), span)
    const lease = yield* mustClaim(webhook)
    const step = yield* (yield* WebhookQueue).advance(lease, yield* readFeed(lease), 10)
    assert.deepStrictEqual(
      step?.due.map(({ traceparent }) => traceparent?.split("-")[1]),
      ["0af7651916cd43dd8448eb211c80319c"]
    )
  })

  it("a webhook whose events do not match is claimed until its cursor has passed them", function*() {
    const { advance, release } = yield* WebhookQueue
    const [root, child, sibling] = yield* storeForest([null, 0, 0])
    const webhook = yield* storeWebhook(child, root)
    yield* happen(sibling)
    const lease = yield* mustClaim(webhook)
    const part = yield* readFeed(lease)
    assert.deepStrictEqual((yield* advance(lease, part, 10))?.due, [])
    yield* release(lease, 100)
    assert.isFalse(yield* hasDeliveries(webhook))
  })

  it("two nodes never hold the same webhook, and a lease that was lost changes nothing", function*() {
    const { advance, release, settle } = yield* WebhookQueue
    const root = yield* storeRootPartner()
    const webhook = yield* storeWebhook(root)
    const [id = ""] = yield* happen(root)
    for (const lease of yield* claimAll) yield* release(lease, 100)
    const claims = yield* repeatInParallel(4, claimAll)
    const [held, ...others] = claims.flat().filter(({ webhook_id }) => webhook_id === webhook.webhook_id)
    if (held === undefined) return assert.fail("The webhook was not claimed")
    assert.isEmpty(others)
    yield* release(held, 100)
    const next = yield* mustClaim(webhook)
    assert.isAbove(next.fence, held.fence)
    assert.isNull(yield* advance(held, yield* readFeed(held), 10))
    assert.deepStrictEqual(yield* planAll(next), [id])
    assert.isNull(yield* settle(held, batch([delivered(id)], { stop: { status: "DISABLED", stop_reason: "GONE" } })))
    yield* release(held, 100)
    assert.deepStrictEqual(yield* dueOf(next), [id])
    assert.strictEqual((yield* readWebhook(root, webhook)).status, "ACTIVE")
    assert.isFalse(yield* hasDeliveries(webhook))
  })

  it("WEBHOOK-04 events wait in the feed while the window is full", function*() {
    const { release, settle } = yield* WebhookQueue
    const root = yield* storeRootPartner()
    const webhook = yield* storeWebhook(root)
    const [first = "", second = ""] = yield* happen(root, 2)
    const lease = yield* mustClaim(webhook)
    yield* planAll(lease)
    yield* settle(lease, batch([failed(first, 3_600_000), failed(second, 3_600_000)]))
    yield* release(lease, 2)
    const [third = ""] = yield* happen(root)
    assert.isFalse(yield* hasDeliveries(webhook))
    yield* (yield* WebhookRepository).redeliver(yield* foundWebhook(root, webhook), first)
    const full = yield* mustClaim(webhook)
    assert.strictEqual(full.open, 2)
    yield* settle(full, batch([delivered(first)]))
    yield* release(full, 2)
    assert.deepStrictEqual(yield* planAll(yield* mustClaim(webhook)), [third])
  })

  it("WEBHOOK-05 `claim` returns at most the free places of the endpoints that lag, and of the others", function*() {
    const { claim, release, settle } = yield* WebhookQueue
    yield* claimAll
    const root = yield* storeRootPartner()
    const webhooks = [yield* storeWebhook(root), yield* storeWebhook(root), yield* storeWebhook(root)]
    yield* happen(root)
    for (const webhook of webhooks.slice(0, 2)) {
      const lease = yield* mustClaim(webhook)
      yield* settle(lease, batch([], { is_lagging: true }))
      yield* release(lease, 100)
    }
    assert.deepStrictEqual(laggingOf(yield* claim({ healthy: 0, lagging: 1 })), [true])
    assert.deepStrictEqual(laggingOf(yield* claim({ healthy: 5, lagging: 0 })), [false])
    assert.deepStrictEqual(laggingOf(yield* claim({ healthy: 5, lagging: 5 })), [true])
    assert.deepStrictEqual(yield* claim({ healthy: 5, lagging: 5 }), [])
  })

  it("trees take turns", function*() {
    const { claim } = yield* WebhookQueue
    yield* claimAll
    const [large, small, tiny] = yield* storeForest([null, null, null])
    for (let count = 0; count < 5; count++) yield* storeWebhook(large)
    yield* storeWebhook(small)
    yield* storeWebhook(tiny)
    for (const root of [large, small, tiny]) yield* happen(root)
    // A webhook of an earlier case may be due again, and takes a turn, too.
    const roots = (yield* claim({ healthy: 3, lagging: 0 })).map(({ root_id }) => root_id)
    assert.strictEqual(new Set(roots).size, 3)
  })

  it("a webhook of a partner that is inactive, below an inactive one, or deleted has nothing to deliver", function*() {
    const { update } = yield* PartnerRepository
    const [root, child, grandchild] = yield* storeForest([null, 0, 1])
    const webhook = yield* storeWebhook(grandchild, root)
    yield* happen(grandchild)
    const found = yield* findPartnerForUpdate(child)
    yield* update(found, { ...found.record, status: "inactive" })
    assert.isFalse(yield* hasDeliveries(webhook))
    yield* update(found, { ...found.record, status: "active" })
    assert.isTrue(yield* hasDeliveries(webhook))
    yield* removePartner(grandchild)
    assert.isFalse(yield* hasDeliveries(webhook))
  })

  it("`counts` counts the webhooks by status, the waiting deliveries, and the age of the oldest that is due", function*() {
    const { advance, counts, release } = yield* WebhookQueue
    const root = yield* storeRootPartner()
    const before = yield* counts
    const webhook = yield* storeWebhook(root)
    yield* storeWebhook(root, root, { status: "PAUSED", stop_reason: "CALLER" })
    yield* storeWebhook(root, root, { status: "DISABLED", stop_reason: "GONE" })
    yield* happen(root, 2)
    const lease = yield* mustClaim(webhook)
    yield* advance(lease, yield* readFeed(lease), 0)
    yield* release(lease, 100)
    const after = yield* counts
    assert.deepStrictEqual(
      [after.active - before.active, after.paused - before.paused, after.disabled - before.disabled],
      [1, 1, 1]
    )
    assert.strictEqual(after.pending - before.pending, 2)
    assert.isAtLeast(after.oldest_due_seconds, 0)
    assert.isBelow(after.oldest_due_seconds, 600)
  })

  it("`counts` leaves out the deliveries that no claim returns from the oldest that is due", function*() {
    const { advance, counts, release } = yield* WebhookQueue
    const { update } = yield* PartnerRepository
    const { listAll, update: updateWebhook } = yield* WebhookRepository
    for (const webhook of yield* listAll(10_000)) {
      yield* updateWebhook(asOperator.inScope(webhook), { ...webhook, status: "PAUSED", stop_reason: "CALLER" })
    }
    const [root, inactive, deleted] = yield* storeForest([null, 0, 0])
    for (const partner of [inactive, deleted]) {
      const webhook = yield* storeWebhook(partner, root)
      yield* happen(partner)
      const lease = yield* mustClaim(webhook)
      yield* advance(lease, yield* readFeed(lease), 0)
      yield* release(lease, 100)
    }
    yield* Effect.sleep("20 millis")
    assert.isAbove((yield* counts).oldest_due_seconds, 0)
    const found = yield* findPartnerForUpdate(inactive)
    yield* update(found, { ...found.record, status: "inactive" })
    yield* removePartner(deleted)
    assert.strictEqual((yield* counts).oldest_due_seconds, 0)
  })
}
