// A handler can fail with any error.
// @effect-diagnostics anyUnknownInErrorContext:off
import {
  deliverBatch,
  type Delivery,
  type DomainEvent,
  type EventLog,
  type SubscriptionKey,
  SubscriptionStore
} from "@lastro/domain/event"
import { type PartnerDetail, type PartnerRepository } from "@lastro/domain/partner"
import { UnitOfWork } from "@lastro/domain/ports"
import { assert } from "chai"
import { Deferred, Effect, Option } from "effect"
import { freshId } from "../../builders/Fresh.ts"
import { storeForest } from "../../builders/storedRecords.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { atomically, holdOpen, inParallel, rollBack, runBehind } from "../suite/transactions.ts"
import { storeEvents } from "./storedEvents.ts"

const minute = 60_000

const keyOf = ({ partner_id }: PartnerDetail, name = "paid-loans"): SubscriptionKey => ({ root_id: partner_id, name })

const open = (key: SubscriptionKey, cursor = 0) => SubscriptionStore.use((store) => store.open(key, cursor))
const lease = (key: SubscriptionKey, holder: string, forMs = minute) =>
  Effect.map(SubscriptionStore.use((store) => store.lease(key, holder, forMs)), Option.getOrNull)
const move = (key: SubscriptionKey, holder: string, from: number, to: number) =>
  SubscriptionStore.use((store) => store.move(key, { holder, from, to }))
const release = (key: SubscriptionKey, holder: string) => SubscriptionStore.use((store) => store.release(key, holder))

/** Moves the cursor. Returns "moved", or the `_tag` of the error. */
const tryMove = (key: SubscriptionKey, holder: string, from: number, to: number) =>
  Effect.match(move(key, holder, from, to), { onSuccess: () => "moved", onFailure: ({ _tag }): string => _tag })

/** Stores a root partner and a subscription to its events. Returns them with the ids of two holders. */
const setUp = Effect.gen(function*() {
  const [root] = yield* storeForest([null])
  const key = keyOf(root)
  yield* open(key)
  return { root, key, one: yield* freshId, other: yield* freshId }
})

/** Delivers events until none is left, or until another holder has the lease. Returns the last step. */
const deliverAll = Effect.fnUntraced(function*(
  { partner_id }: PartnerDetail,
  key: SubscriptionKey,
  holder: string,
  handle: Delivery["handle"]
) {
  for (;;) {
    const source = { partner_id, root_id: partner_id }
    const step = yield* deliverBatch({ key, source, holder, handle, stopping: Deferred.makeUnsafe() })
    if (step._tag !== "MORE") return step
  }
})

/** Contract cases for SubscriptionStore, and for the delivery of events with this store. */
export const subscriptionStoreCases: ContractCases<
  EventLog | PartnerRepository | SubscriptionStore | UnitOfWork
> = (it, { units }) => {
  it("`open` stores a cursor once. Names and trees have cursors of their own", function*() {
    const [root, stranger] = yield* storeForest([null, null])
    assert.strictEqual(yield* open(keyOf(root), 3), 3)
    assert.strictEqual(yield* open(keyOf(root), 9), 3)
    assert.strictEqual(yield* open(keyOf(root, "other"), 5), 5)
    assert.strictEqual(yield* open(keyOf(stranger), 7), 7)
    const holder = yield* freshId
    assert.strictEqual(yield* lease(keyOf(stranger), holder), 7)
    assert.strictEqual(yield* lease(keyOf(root), holder), 3)
  })

  it("one holder at a time has the lease, and can renew it", function*() {
    const { key, one, other } = yield* setUp
    assert.strictEqual(yield* lease(key, one), 0)
    assert.strictEqual(yield* lease(key, one), 0)
    assert.isNull(yield* lease(key, other))
    const { key: free } = yield* setUp
    const holders = yield* Effect.replicateEffect(freshId, 8)
    const cursors = yield* inParallel(holders.map((holder) => lease(free, holder)))
    assert.lengthOf(cursors.filter((cursor) => cursor !== null), 1)
  })

  it("another holder gets the lease after its end, and after `release` at once", function*() {
    const { key, one, other } = yield* setUp
    // The lease ends before it begins, because a store can round its end to the next millisecond.
    assert.strictEqual(yield* lease(key, one, -1), 0)
    assert.strictEqual(yield* lease(key, other), 0)
    yield* release(key, one)
    assert.isNull(yield* lease(key, one))
    yield* release(key, other)
    assert.strictEqual(yield* lease(key, one), 0)
  })

  it("`move` changes nothing for another holder, or from another cursor", function*() {
    const { key, one, other } = yield* setUp
    yield* lease(key, one)
    assert.strictEqual(yield* tryMove(key, other, 0, 4), "SubscriptionLost")
    assert.strictEqual(yield* tryMove(key, one, 1, 4), "SubscriptionLost")
    assert.strictEqual(yield* lease(key, one), 0)
    assert.strictEqual(yield* tryMove(key, one, 0, 4), "moved")
    assert.strictEqual(yield* tryMove(key, one, 0, 4), "SubscriptionLost")
    assert.strictEqual(yield* lease(key, one), 4)
  })

  it("`move` is part of the surrounding transaction", function*() {
    const { key, one } = yield* setUp
    yield* lease(key, one)
    yield* rollBack(move(key, one, 0, 4))
    assert.strictEqual(yield* lease(key, one), 0)
    yield* atomically(move(key, one, 0, 4))
    assert.strictEqual(yield* lease(key, one), 4)
  })

  it("EVENT-07 events are handled in order up to the last one, and again after a failure", function*() {
    const { key, one, other, root } = yield* setUp
    const ids = yield* storeEvents(root, 5)
    const seen: Array<string> = []
    let failing = ids[2]
    const handle: Delivery["handle"] = ({ event_id }, moved) =>
      Effect.suspend((): Effect.Effect<void, unknown> => {
        seen.push(event_id)
        if (event_id !== failing) return moved
        failing = undefined
        return Effect.fail("failed")
      })
    const failed = yield* deliverAll(root, key, one, handle)
    assert.strictEqual(failed._tag, "FAILED")
    assert.deepStrictEqual(seen, ids.slice(0, 3))
    yield* release(key, one)
    const done = yield* deliverAll(root, key, other, handle)
    assert.deepStrictEqual(done, { _tag: "IDLE", cursor: 5 })
    assert.deepStrictEqual(seen, [...ids.slice(0, 3), ...ids.slice(2)])
  })

  it("an event whose transaction rolls back is handled again", function*() {
    const { key, one, root } = yield* setUp
    const [id] = yield* storeEvents(root, 1)
    const { atomically: unit } = yield* UnitOfWork
    const seen: Array<string> = []
    const handle: Delivery["handle"] = ({ event_id }, moved) =>
      unit(Effect.andThen(
        moved,
        Effect.suspend(() => {
          seen.push(event_id)
          return seen.length === 1 ? Effect.fail("crash") : Effect.void
        })
      ))
    assert.strictEqual((yield* deliverAll(root, key, one, handle))._tag, "FAILED")
    assert.strictEqual((yield* deliverAll(root, key, one, handle))._tag, "IDLE")
    assert.deepStrictEqual(seen, [id, id])
  })

  it("several holders handle each event once and in order", function*() {
    const { key, root } = yield* setUp
    const ids = yield* storeEvents(root, 12)
    const seen: Array<DomainEvent> = []
    let running = 0
    const handle: Delivery["handle"] = (event, moved) =>
      Effect.gen(function*() {
        assert.strictEqual(++running, 1)
        yield* Effect.sleep(1)
        seen.push(event)
        running--
        yield* moved
      })
    const holders = yield* Effect.replicateEffect(freshId, 4)
    yield* inParallel(holders.map((holder) => deliverAll(root, key, holder, handle)))
    assert.deepStrictEqual(seen.map(({ event_id }) => event_id), ids)
  })

  if (units === "serialised") return

  it("while a transaction moves the cursor, `open` does not wait, no other holder gets the lease, and a move waits", function*() {
    const { key, one, other } = yield* setUp
    yield* lease(key, one, -1)
    const moving = yield* holdOpen(move(key, one, 0, 4))
    assert.isNull(yield* lease(key, other))
    assert.strictEqual(yield* open(key, 7), 0)
    assert.strictEqual(yield* runBehind(moving, tryMove(key, one, 0, 8)), "SubscriptionLost")
    assert.strictEqual(yield* lease(key, other), 4)
  })
}
