import { type EventLog } from "@lastro/domain/event"
import { asOperator } from "@lastro/domain/hierarchy"
import { type PartnerRepository } from "@lastro/domain/partner"
import { type UnitOfWork } from "@lastro/domain/ports"
import { type Timestamp } from "@lastro/domain/values"
import { type Webhook, type WebhookQuery, WebhookQueue, WebhookRepository } from "@lastro/domain/webhook"
import { assert } from "chai"
import { Effect, Option } from "effect"
import { aWebhook, storeWebhook } from "../../builders/aWebhook.ts"
import { freshId } from "../../builders/Fresh.ts"
import { storeForest, storeRootPartner } from "../../builders/storedRecords.ts"
import { type FindSubject } from "../hierarchy/findCases.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { readWalk, scopeOfPartner } from "../suite/queries.ts"
import { later } from "../suite/storedRecords.ts"
import { atomically, repeatInParallel, rollBack } from "../suite/transactions.ts"
import {
  claimOf,
  dueOf,
  foundWebhook,
  happen,
  hasDeliveries,
  mustClaim,
  planAll,
  query,
  readWebhook
} from "./webhookFixtures.ts"

/** The find methods of WebhookRepository. */
export const webhookFinds: FindSubject<Webhook, EventLog | WebhookRepository> = {
  methods: {
    find: (scope, id) => WebhookRepository.use((webhooks) => webhooks.find(scope, id as Webhook["webhook_id"])),
    findForUpdate: (scope, id) =>
      WebhookRepository.use((webhooks) => webhooks.findForUpdate(scope, id as Webhook["webhook_id"]))
  },
  store: (partner) => Effect.map(storeWebhook(partner), (record) => ({ id: record.webhook_id, record }))
}

const createdOn = (date: string) => ({ created_at: `${date}T00:00:00.000Z` as Timestamp })

/** Contract cases for WebhookRepository. */
export const webhookRepositoryCases: ContractCases<
  EventLog | PartnerRepository | UnitOfWork | WebhookQueue | WebhookRepository
> = (it) => {
  it("`list` returns the webhooks in scope that match all filters, in order, and their number", function*() {
    const { list } = yield* WebhookRepository
    const [root, child, grandchild, sibling] = yield* storeForest([null, 0, 1, 0])
    const newest = yield* storeWebhook(child, root, createdOn("2026-01-03"))
    const oldest = yield* storeWebhook(grandchild, root, { ...createdOn("2026-01-01"), status: "PAUSED" })
    const middle = yield* storeWebhook(child, root, createdOn("2026-01-02"))
    yield* storeWebhook(sibling, root)
    const read = (fields: Partial<WebhookQuery> = {}) => list(scopeOfPartner(child), query(fields))
    assert.deepStrictEqual(yield* read(), { items: [oldest, middle, newest], total: 3 })
    assert.deepStrictEqual(
      yield* read({ sort: [{ property: "created_at", direction: "desc" }], page: { number: 1, size: 2 } }),
      { items: [oldest], total: 3 }
    )
    assert.deepStrictEqual(yield* read({ filters: { status: "PAUSED" } }), { items: [oldest], total: 1 })
    const filters = { partner_id: child.partner_id }
    assert.deepStrictEqual(yield* read({ filters }), { items: [middle, newest], total: 2 })
  })

  it("`listAll` returns the webhooks of every tree, the newest first, at most `limit`", function*() {
    const { listAll } = yield* WebhookRepository
    const [root, otherRoot] = [yield* storeRootPartner(), yield* storeRootPartner()]
    const middle = yield* storeWebhook(root, root, createdOn("2099-01-02"))
    const newest = yield* storeWebhook(otherRoot, otherRoot, createdOn("2099-01-03"))
    const oldest = yield* storeWebhook(root, root, createdOn("2099-01-01"))
    assert.deepStrictEqual(yield* listAll(3), [newest, middle, oldest])
    assert.deepStrictEqual(yield* listAll(1), [newest])
  })

  it("`findOwner` returns the partner of a webhook in any tree, and none for an unknown id", function*() {
    const { findOwner } = yield* WebhookRepository
    const [root, child] = yield* storeForest([null, 0])
    const stored = yield* storeWebhook(child, root)
    assert.deepStrictEqual(yield* findOwner(stored.webhook_id), Option.some(child.partner_id))
    assert.deepStrictEqual(yield* findOwner((yield* freshId) as Webhook["webhook_id"]), Option.none())
  })

  it("PAGE-39 a walk returns each webhook and each delivery once", function*() {
    const { list, listDeliveries } = yield* WebhookRepository
    const root = yield* storeRootPartner()
    const webhooks = [yield* storeWebhook(root), yield* storeWebhook(root), yield* storeWebhook(root)]
    const [webhook] = webhooks as [Webhook, Webhook, Webhook]
    yield* happen(root, 3)
    yield* planAll(yield* mustClaim(webhook))
    const found = yield* foundWebhook(root, webhook)
    for (const direction of ["asc", "desc"] as const) {
      const sort = [{ property: "created_at", direction }] as const
      const page = { number: 0, size: 2 }
      const walked = yield* readWalk(2, (after) => list(scopeOfPartner(root), query({ sort, page, after })))
      assert.sameMembers(walked.map(({ webhook_id }) => webhook_id), webhooks.map(({ webhook_id }) => webhook_id))
      const all = yield* listDeliveries(found, { ...query({ sort }), filters: {} })
      const deliveries = yield* readWalk(
        2,
        (after) => listDeliveries(found, { ...query({ sort, page, after }), filters: {} })
      )
      assert.deepStrictEqual(deliveries, [...all.items])
    }
  })

  it("`list` and `listDeliveries` fail with ReadBudgetExceeded if more records match than the budget", function*() {
    const { list, listDeliveries } = yield* WebhookRepository
    const root = yield* storeRootPartner()
    const webhook = yield* storeWebhook(root)
    yield* storeWebhook(root)
    yield* happen(root, 3)
    yield* planAll(yield* mustClaim(webhook))
    const filtered = query({ filters: { status: "ACTIVE" } })
    assert.strictEqual((yield* Effect.flip(list(scopeOfPartner(root), filtered, 1)))._tag, "ReadBudgetExceeded")
    yield* list(scopeOfPartner(root), filtered, 2)
    const found = yield* foundWebhook(root, webhook)
    const deliveries = { ...query(), filters: {} }
    assert.strictEqual((yield* Effect.flip(listDeliveries(found, deliveries, 2)))._tag, "ReadBudgetExceeded")
    yield* listDeliveries(found, deliveries, 3)
  })

  it("WEBHOOK-06 `count` counts the webhooks of a partner, and stays valid until the transaction ends", function*() {
    const { count, insert } = yield* WebhookRepository
    const [root, child] = yield* storeForest([null, 0])
    yield* storeWebhook(child, root)
    const owner = asOperator.inScope(root.partner_id)
    const addOne = atomically(Effect.gen(function*() {
      if ((yield* count(owner)) >= 2) return
      yield* Effect.yieldNow
      yield* insert(owner, yield* aWebhook(root), { root_id: root.partner_id, secret: "sealed:1", cursor: 0 })
    }))
    yield* repeatInParallel(6, addOne)
    assert.strictEqual(yield* atomically(count(owner)), 2)
  })

  it("`update` saves all fields except `health`, `partner_id` and `created_at`", function*() {
    const [root, child] = yield* storeForest([null, 0])
    const webhook = yield* storeWebhook(child, root)
    const after: Webhook = {
      ...webhook,
      url: "https://example.com/other?token=1",
      types: ["proposal.*", "user.created"],
      description: "Ledger",
      status: "PAUSED",
      stop_reason: "CALLER",
      updated_at: later,
      version: 2
    }
    yield* (yield* WebhookRepository).update(yield* foundWebhook(root, webhook), {
      ...after,
      partner_id: root.partner_id,
      created_at: later,
      health: { last_success_at: later, last_failure_at: later, last_failure: "TIMEOUT" }
    })
    assert.deepStrictEqual(yield* readWebhook(child, webhook), after)
  })

  it("WEBHOOK-09 `setSecret` keeps the replaced secret as the previous one, and only that one", function*() {
    const { setSecret } = yield* WebhookRepository
    const root = yield* storeRootPartner()
    const webhook = yield* storeWebhook(root)
    yield* happen(root)
    const lease = yield* mustClaim(webhook)
    const secrets = Effect.map(WebhookQueue.use(({ advance }) => advance(lease, null, 1)), (step) => step?.secrets)
    assert.deepStrictEqual(yield* secrets, { current: "sealed:1", previous: null })
    yield* setSecret(yield* foundWebhook(root, webhook), "sealed:2", later)
    assert.deepStrictEqual(yield* secrets, {
      current: "sealed:2",
      previous: { secret: "sealed:1", valid_until: later }
    })
    yield* setSecret(yield* foundWebhook(root, webhook), "sealed:3", later)
    assert.deepStrictEqual(yield* secrets, {
      current: "sealed:3",
      previous: { secret: "sealed:2", valid_until: later }
    })
  })

  it("`remove` deletes a webhook, and a lease on it is lost", function*() {
    const root = yield* storeRootPartner()
    const webhook = yield* storeWebhook(root)
    yield* happen(root)
    const lease = yield* mustClaim(webhook)
    yield* planAll(lease)
    yield* (yield* WebhookRepository).remove(yield* foundWebhook(root, webhook))
    const found = yield* (yield* WebhookRepository).find(scopeOfPartner(root), webhook.webhook_id)
    assert.strictEqual(found._tag, "None")
    assert.isUndefined(yield* dueOf(lease))
    assert.isFalse(yield* hasDeliveries(webhook))
  })

  it("writes roll back with the surrounding transaction", function*() {
    const webhooks = yield* WebhookRepository
    const root = yield* storeRootPartner()
    const webhook = yield* storeWebhook(root)
    yield* rollBack(Effect.gen(function*() {
      const found = yield* foundWebhook(root, webhook)
      yield* webhooks.update(found, { ...webhook, version: 2 })
      yield* webhooks.addTest(found, { event_id: yield* freshId, sequence: null, type: "webhook.test", body: "{}" })
      yield* webhooks.remove(found)
    }))
    assert.deepStrictEqual(yield* readWebhook(root, webhook), webhook)
    assert.isUndefined(yield* claimOf(webhook))
  })
}
