import { type EventLog } from "@lastro/domain/event"
import { type PartnerRepository } from "@lastro/domain/partner"
import { type UnitOfWork } from "@lastro/domain/ports"
import { WebhookQueue, type WebhookRepository } from "@lastro/domain/webhook"
import { assert } from "chai"
import { storeWebhook } from "../../builders/aWebhook.ts"
import { storeRootPartner } from "../../builders/storedRecords.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { atomically } from "../suite/transactions.ts"
import {
  batch,
  delivered,
  dueOf,
  failed,
  happen,
  hasDeliveries,
  mustClaim,
  planAll,
  readDeliveries,
  readFeed,
  readWebhook
} from "./webhookFixtures.ts"

/** Contract cases for the attempts of WebhookQueue and their outcomes. */
export const webhookAttemptCases: ContractCases<
  EventLog | PartnerRepository | UnitOfWork | WebhookQueue | WebhookRepository
> = (it) => {
  it("`advance` stores nothing if the cursor is not that of the part, or if the webhook is not active", function*() {
    const { advance, settle } = yield* WebhookQueue
    const root = yield* storeRootPartner()
    const webhook = yield* storeWebhook(root)
    const ids = yield* happen(root, 2)
    const lease = yield* mustClaim(webhook)
    const part = yield* readFeed(lease)
    const unchanged = yield* advance(lease, { ...part, after: part.after + 1 }, 10)
    assert.deepStrictEqual([unchanged?.cursor, unchanged?.due], [part.after, []])
    yield* advance(lease, { ...part, events: part.events.slice(0, 1), next: part.next - 1 }, 10)
    const stop = { status: "PAUSED", stop_reason: "RETRIES_EXHAUSTED" } as const
    yield* settle(lease, batch([failed(ids[0] ?? "", 0)], { stop }))
    const paused = yield* advance(lease, { ...part, after: part.next - 1 }, 10)
    assert.deepStrictEqual([paused?.cursor, paused?.is_active, paused?.due], [part.next - 1, false, []])
    assert.strictEqual((yield* readDeliveries(root, webhook)).length, 1)
  })

  it("the deliveries that `advance` stores are due at once, even within a unit of work, where time stands still", function*() {
    const root = yield* storeRootPartner()
    const webhook = yield* storeWebhook(root)
    const { release } = yield* WebhookQueue
    for (let round = 0; round < 10; round++) {
      const ids = yield* happen(root, 2)
      const lease = yield* mustClaim(webhook)
      assert.deepStrictEqual((yield* atomically(planAll(lease, 100)))?.slice(-2), ids)
      yield* release(lease, 100)
    }
  })

  it("`advance` keeps an event that is PENDING, and begins one with another status anew", function*() {
    const { advance, settle } = yield* WebhookQueue
    const root = yield* storeRootPartner()
    const webhook = yield* storeWebhook(root)
    const [first = "", second = "", third = ""] = yield* happen(root, 3)
    const lease = yield* mustClaim(webhook)
    const part = yield* readFeed(lease)
    yield* advance(lease, { ...part, next: part.after }, 10)
    yield* settle(
      lease,
      batch([delivered(first), failed(second, 3_600_000), { ...failed(third, 0), status: "FAILED", after_ms: null }])
    )
    const again = yield* advance(lease, part, 10)
    assert.deepStrictEqual(again?.due.map(({ event_id }) => event_id), [first, third])
    const stored = new Map((yield* readDeliveries(root, webhook)).map((record) => [record.event_id, record]))
    assert.deepStrictEqual([first, second, third].map((id) => stored.get(id)?.attempts), [0, 1, 0])
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
    const [done, pending] = yield* readDeliveries(root, webhook)
    assert.deepInclude(done, {
      event_id: first,
      status: "DELIVERED",
      attempts: 1,
      last_status: 200,
      last_fault: null,
      duration_ms: 12,
      next_attempt_at: null
    })
    assert.isNotNull(done?.last_attempt_at)
    assert.deepInclude(pending, { status: "PENDING", attempts: 1, last_status: null, last_fault: "TIMEOUT" })
    const delay = Date.parse(pending?.next_attempt_at ?? "") - Date.parse(pending?.last_attempt_at ?? "")
    assert.strictEqual(Math.round(delay / 1_000), 3_600)
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
    assert.isFalse(yield* hasDeliveries(webhook))
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
    assert.isFalse(yield* hasDeliveries(webhook))
    assert.strictEqual((yield* readWebhook(root, webhook)).status, "DISABLED")
  })

  it("WEBHOOK-13 `prune` keeps deliveries that ended less than 7 days ago, and those that wait", function*() {
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
}
