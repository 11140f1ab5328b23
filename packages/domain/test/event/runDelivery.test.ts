import { assert, it } from "@effect/vitest"
import { freshId, layerMemory, storeRootPartner } from "@lastro/testkit"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { EventDelivery } from "../../src/event/Delivery.ts"
import { type EventType } from "../../src/event/DomainEvent.ts"
import { EventLog } from "../../src/event/EventLog.ts"
import { SubscriptionStore } from "../../src/event/SubscriptionStore.ts"
import { type PartnerId } from "../../src/values/ids.ts"
import { currentTimestamp } from "../../src/values/Timestamp.ts"

/** Lets other fibers run until a condition holds. */
const until = (holds: () => boolean) =>
  Effect.gen(function*() {
    while (!holds()) yield* Effect.yieldNow
  })

/** Appends an event of a partner. */
const happen = Effect.fnUntraced(function*(partner_id: PartnerId, type: EventType) {
  yield* (yield* EventLog).append([{
    event_id: yield* freshId,
    type,
    occurred_at: yield* currentTimestamp,
    partner_id,
    subject: { kind: "partner", id: partner_id, version: null },
    data: {},
    request_id: null,
    actor: { kind: "system", id: "lastro" }
  }])
})

it.effect("a first batch that takes longer than a lease keeps the lease, so that each event is handled once", () =>
  Effect.gen(function*() {
    const { partner_id } = yield* storeRootPartner()
    const key = { root_id: partner_id, name: "slow" }
    yield* (yield* SubscriptionStore).open(key, 0)
    yield* happen(partner_id, "partner.updated")
    const start = yield* EventDelivery
    const stopping = Deferred.makeUnsafe<void>()
    const [calls, done]: [Array<string>, Array<string>] = [[], []]
    const follow = (holder: string) =>
      Effect.forkChild(start({
        key,
        source: { partner_id, root_id: partner_id },
        holder,
        handle: (_, move) =>
          Effect.suspend(() => {
            calls.push(holder)
            return Effect.andThen(
              Effect.andThen(Effect.sleep("25 seconds"), move),
              Effect.sync(() => done.push(holder))
            )
          }),
        stopping
      }))
    const first = yield* follow("first")
    yield* until(() => calls.length === 1)
    const second = yield* follow("second")
    yield* TestClock.adjust("20 seconds")
    assert.deepStrictEqual(calls, ["first"])
    yield* TestClock.adjust("10 seconds")
    yield* until(() => done.length === 1)
    assert.deepStrictEqual(calls, ["first"])
    yield* Deferred.succeed(stopping, undefined)
    yield* Fiber.joinAll([first, second])
  }).pipe(Effect.provide(layerMemory)))

it.effect("a subscription writes nothing at an event that it does not select, and passes over it after 30 seconds", () =>
  Effect.gen(function*() {
    const { partner_id } = yield* storeRootPartner()
    const log = yield* EventLog
    const store = yield* SubscriptionStore
    let reads = 0
    const writes: Array<string> = []
    const seen: Array<number> = []
    const countingLog = EventLog.of({
      ...log,
      read: (...args) => Effect.tap(log.read(...args), () => Effect.sync(() => reads++))
    })
    const countingStore = SubscriptionStore.of({
      ...store,
      lease: (...args) => Effect.suspend(() => (writes.push("lease"), store.lease(...args))),
      move: (key, move) => Effect.suspend(() => (writes.push(`move to ${move.to}`), store.move(key, move)))
    })
    const key = { root_id: partner_id, name: "users" }
    yield* store.open(key, 0)
    const start = yield* EventDelivery
    const stopping = Deferred.makeUnsafe<void>()
    const running = yield* Effect.forkChild(
      start({
        key,
        source: { partner_id, root_id: partner_id, types: ["user.created"] },
        holder: yield* freshId,
        handle: ({ sequence }, move) => Effect.andThen(move, Effect.sync(() => seen.push(sequence))),
        stopping
      }).pipe(
        Effect.provideService(EventLog, countingLog),
        Effect.provideService(SubscriptionStore, countingStore)
      )
    )
    yield* until(() => reads === 1)
    for (const count of [2, 3, 4]) {
      yield* happen(partner_id, "partner.updated")
      yield* until(() => reads === count)
    }
    assert.deepStrictEqual(writes, ["lease"])
    yield* TestClock.adjust("30 seconds")
    yield* until(() => writes.includes("move to 3"))
    yield* happen(partner_id, "user.created")
    yield* until(() => seen.length === 1)
    assert.deepStrictEqual(seen, [4])
    yield* Deferred.succeed(stopping, undefined)
    yield* Fiber.join(running)
  }).pipe(Effect.provide(layerMemory)))
