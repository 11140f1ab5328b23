import { type EventLog } from "@lastro/domain/event"
import { PartnerRepository } from "@lastro/domain/partner"
import { type UnitOfWork } from "@lastro/domain/ports"
import { WebhookQueue, WebhookRepository } from "@lastro/domain/webhook"
import { assert } from "chai"
import { Effect } from "effect"
import { storeForest, storeRootPartner } from "../../builders/storedRecords.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { findPartnerForUpdate, removePartner } from "../suite/storedRecords.ts"
import { inParallel, rollBack } from "../suite/transactions.ts"
import {
  batch,
  bodyOf,
  claimAll,
  delivered,
  dueOf,
  failed,
  foundWebhook,
  happen,
  isClaimed,
  mustClaim,
  planAll,
  readDeliveries,
  readFeed,
  readWebhook,
  storeWebhook
} from "./webhookFixtures.ts"

/** Returns whether each of the leased endpoints lags. */
const lanes = (leases: ReadonlyArray<{ readonly is_lagging: boolean }>) => leases.map(({ is_lagging }) => is_lagging)

/** Contract cases for WebhookQueue. */
export const webhookQueueCases: ContractCases<
  EventLog | PartnerRepository | UnitOfWork | WebhookQueue | WebhookRepository
> = (it) => {
  it("an active webhook is claimed if its tree has events after its cursor, and `advance` stores them as deliveries", function*() {
    const { advance } = yield* WebhookQueue
    const [root, child] = yield* storeForest([null, 0])
    yield* happen(child)
    const webhook = yield* storeWebhook(child, root)
    assert.isFalse(yield* isClaimed(webhook))
    yield* rollBack(happen(child))
    assert.isFalse(yield* isClaimed(webhook))
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
      step?.due,
      part.events.map((event) => ({
        event_id: event.event_id,
        body: bodyOf(event),
        attempts: 0,
        is_test: false
      }))
    )
    assert.deepStrictEqual(step?.due.map(({ event_id }) => event_id), ids)
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
    assert.isFalse(yield* isClaimed(webhook))
  })

  it("two nodes never hold the same webhook, and a lease that was lost changes nothing", function*() {
    const { advance, claim, release, settle } = yield* WebhookQueue
    const root = yield* storeRootPartner()
    const webhook = yield* storeWebhook(root)
    const [id = ""] = yield* happen(root)
    yield* claimAll.pipe(Effect.flatMap((leases) => Effect.forEach(leases, (lease) => release(lease, 100))))
    const claims = yield* inParallel(
      [1, 2, 3, 4].map(() => claim({ healthy: 10_000, lagging: 10_000 }))
    )
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
    assert.isFalse(yield* isClaimed(webhook))
  })

  it("`advance` stores nothing if the cursor is not that of the part, or if the webhook is not active", function*() {
    const { advance, settle } = yield* WebhookQueue
    const root = yield* storeRootPartner()
    const webhook = yield* storeWebhook(root)
    const ids = yield* happen(root, 2)
    const lease = yield* mustClaim(webhook)
    const part = yield* readFeed(lease)
    const other = yield* advance(lease, { ...part, after: part.after + 1 }, 10)
    assert.deepStrictEqual([other?.cursor, other?.due], [part.after, []])
    yield* advance(lease, { ...part, events: part.events.slice(0, 1), next: part.next - 1 }, 10)
    const stop = { status: "PAUSED", stop_reason: "RETRIES_EXHAUSTED" } as const
    yield* settle(lease, batch([failed(ids[0] ?? "", 0)], { stop }))
    const paused = yield* advance(lease, { ...part, after: part.next - 1 }, 10)
    assert.deepStrictEqual([paused?.cursor, paused?.is_active, paused?.due], [part.next - 1, false, []])
    assert.strictEqual((yield* readDeliveries(root, webhook)).length, 1)
  })

  it("`advance` keeps an event that is PENDING, and begins one with another status anew", function*() {
    const { advance, settle } = yield* WebhookQueue
    const root = yield* storeRootPartner()
    const webhook = yield* storeWebhook(root)
    const [one = "", other = "", third = ""] = yield* happen(root, 3)
    const lease = yield* mustClaim(webhook)
    const part = yield* readFeed(lease)
    yield* advance(lease, { ...part, next: part.after }, 10)
    yield* settle(
      lease,
      batch([delivered(one), failed(other, 3_600_000), { ...failed(third, 0), status: "FAILED", after_ms: null }])
    )
    const again = yield* advance(lease, part, 10)
    assert.deepStrictEqual(again?.due.map(({ event_id }) => event_id), [one, third])
    const stored = new Map((yield* readDeliveries(root, webhook)).map((record) => [record.event_id, record]))
    assert.deepStrictEqual([one, other, third].map((id) => stored.get(id)?.attempts), [0, 1, 0])
  })

  it("`settle` stores the outcomes, and `advance` returns at most `limit` deliveries, those due longest first", function*() {
    const { release, settle } = yield* WebhookQueue
    const root = yield* storeRootPartner()
    const webhook = yield* storeWebhook(root)
    const ids = yield* happen(root, 4)
    const [first = "", second = "", third = "", fourth = ""] = ids
    const lease = yield* mustClaim(webhook)
    assert.deepStrictEqual(yield* planAll(lease, 2), [first, second])
    yield* settle(lease, batch([delivered(first), failed(second, 3_600_000)], { failure: "TIMEOUT" }))
    assert.deepStrictEqual(yield* dueOf(lease), [third, fourth])
    const [one, two] = yield* readDeliveries(root, webhook)
    assert.deepStrictEqual(
      [one?.event_id, one?.status, one?.attempts, one?.last_status, one?.last_fault, one?.duration_ms],
      [first, "DELIVERED", 1, 200, null, 12]
    )
    assert.isNotNull(one?.last_attempt_at)
    assert.isNull(one?.next_attempt_at)
    assert.deepStrictEqual([two?.status, two?.attempts, two?.last_status, two?.last_fault], [
      "PENDING",
      1,
      null,
      "TIMEOUT"
    ])
    assert.strictEqual(
      Math.round((Date.parse(two?.next_attempt_at ?? "") - Date.parse(two?.last_attempt_at ?? "")) / 1_000),
      3_600
    )
    const { health } = yield* readWebhook(root, webhook)
    assert.strictEqual(health.last_failure, "TIMEOUT")
    assert.isNotNull(health.last_success_at)
    assert.isNotNull(health.last_failure_at)
    yield* settle(lease, batch([failed(third, 0), failed(fourth, 0)], { failures: 2 }))
    yield* release(lease, 100)
    const next = yield* mustClaim(webhook)
    assert.deepStrictEqual([next.failures, next.open], [2, 3])
    assert.sameMembers([...(yield* dueOf(next)) ?? []], [third, fourth])
  })

  it("WEBHOOK-02 a hold stops all deliveries of the endpoint", function*() {
    const { release, settle } = yield* WebhookQueue
    const root = yield* storeRootPartner()
    const webhook = yield* storeWebhook(root)
    const [id = ""] = yield* happen(root, 2)
    const lease = yield* mustClaim(webhook)
    yield* planAll(lease)
    yield* settle(lease, batch([failed(id, 0)], { hold_ms: 3_600_000 }))
    assert.deepStrictEqual(yield* dueOf(lease), [])
    yield* release(lease, 100)
    yield* happen(root)
    assert.isFalse(yield* isClaimed(webhook))
  })

  it("WEBHOOK-03 `settle` stops an active webhook, and returns it before and after", function*() {
    const { release, settle } = yield* WebhookQueue
    const root = yield* storeRootPartner()
    const webhook = yield* storeWebhook(root)
    const [id = ""] = yield* happen(root)
    const lease = yield* mustClaim(webhook)
    yield* planAll(lease)
    const outcome = { ...failed(id, 0), status: "FAILED", after_ms: null } as const
    const stop = { status: "DISABLED", stop_reason: "GONE" } as const
    const stopped = yield* settle(lease, batch([outcome], { stop, failure: "HTTP 410" }))
    const after = yield* readWebhook(root, webhook)
    assert.deepStrictEqual([stopped?.before.status, stopped?.before.version], ["ACTIVE", 1])
    assert.deepStrictEqual(stopped?.after, after)
    assert.deepStrictEqual([after.status, after.stop_reason, after.version], ["DISABLED", "GONE", 2])
    assert.isAbove(Date.parse(after.updated_at), Date.parse(webhook.updated_at))
    assert.isNull(yield* settle(lease, batch([], { stop: { status: "PAUSED", stop_reason: "RETRIES_EXHAUSTED" } })))
    yield* release(lease, 100)
    yield* happen(root)
    assert.isFalse(yield* isClaimed(webhook))
    assert.strictEqual((yield* readWebhook(root, webhook)).status, "DISABLED")
  })

  it("WEBHOOK-04 events wait in the feed while the window is full", function*() {
    const { release, settle } = yield* WebhookQueue
    const root = yield* storeRootPartner()
    const webhook = yield* storeWebhook(root)
    const [one = "", other = ""] = yield* happen(root, 2)
    const lease = yield* mustClaim(webhook)
    yield* planAll(lease)
    yield* settle(lease, batch([failed(one, 3_600_000), failed(other, 3_600_000)]))
    yield* release(lease, 2)
    const [third = ""] = yield* happen(root)
    assert.isFalse(yield* isClaimed(webhook))
    yield* (yield* WebhookRepository).redeliver(yield* foundWebhook(root, webhook), one)
    const full = yield* mustClaim(webhook)
    assert.strictEqual(full.open, 2)
    yield* settle(full, batch([delivered(one)]))
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
    assert.deepStrictEqual(lanes(yield* claim({ healthy: 0, lagging: 1 })), [true])
    assert.deepStrictEqual(lanes(yield* claim({ healthy: 5, lagging: 0 })), [false])
    assert.deepStrictEqual(lanes(yield* claim({ healthy: 5, lagging: 5 })), [true])
    assert.deepStrictEqual(yield* claim({ healthy: 5, lagging: 5 }), [])
  })

  it("trees take turns", function*() {
    const { claim } = yield* WebhookQueue
    yield* claimAll
    const [many, one, other] = yield* storeForest([null, null, null])
    for (let count = 0; count < 5; count++) yield* storeWebhook(many)
    yield* storeWebhook(one)
    yield* storeWebhook(other)
    for (const root of [many, one, other]) yield* happen(root)
    const roots = (yield* claim({ healthy: 3, lagging: 0 })).map(({ root_id }) => root_id)
    assert.sameMembers(roots, [many, one, other].map(({ partner_id }) => partner_id))
  })

  it("a webhook of a partner that is inactive, below an inactive one, or deleted has nothing to deliver", function*() {
    const { update } = yield* PartnerRepository
    const [root, child, grandchild] = yield* storeForest([null, 0, 1])
    const webhook = yield* storeWebhook(grandchild, root)
    yield* happen(grandchild)
    const found = yield* findPartnerForUpdate(child)
    yield* update(found, { ...found.record, status: "inactive" })
    assert.isFalse(yield* isClaimed(webhook))
    yield* update(found, { ...found.record, status: "active" })
    assert.isTrue(yield* isClaimed(webhook))
    yield* removePartner(grandchild)
    assert.isFalse(yield* isClaimed(webhook))
  })

  it("`prune` keeps deliveries that ended less than 7 days ago, and those that wait", function*() {
    const { prune, release, settle } = yield* WebhookQueue
    const root = yield* storeRootPartner()
    const webhook = yield* storeWebhook(root)
    const [id = ""] = yield* happen(root, 2)
    const lease = yield* mustClaim(webhook)
    yield* planAll(lease)
    yield* settle(lease, batch([delivered(id)]))
    yield* release(lease, 100)
    yield* prune(1_000)
    assert.strictEqual((yield* readDeliveries(root, webhook)).length, 2)
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
}
