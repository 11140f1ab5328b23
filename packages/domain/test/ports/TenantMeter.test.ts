import { assert, describe, it } from "@effect/vitest"
import { Effect, Latch } from "effect"
import fc from "fast-check"
import { meterFiber } from "../../src/adapters/meterFiber.ts"
import { joinLoads, makeTenantMeter, type TenantLoad } from "../../src/ports/TenantMeter.ts"

const minute = 60_000

const loads = fc.array(fc.record({
  root: fc.constantFrom("a", "b", "c", "d", "other"),
  requests: fc.nat(100),
  busy_ms: fc.nat(1_000),
  calls: fc.nat(50)
}))

const totalOf = (all: ReadonlyArray<TenantLoad>) =>
  all.reduce(
    ([requests, busy_ms, calls], load) =>
      [requests + load.requests, busy_ms + load.busy_ms, calls + load.calls] as const,
    [0, 0, 0] as readonly [number, number, number]
  )

describe("the meter of tenants", () => {
  it("counts the work of the last five minutes", () => {
    const meter = makeTenantMeter()
    meter.count(0, "a", { requests: 1, busy_ms: 4 })
    meter.count(1 * minute, "a", { calls: 1 })
    meter.count(4 * minute, "b", { requests: 2 })
    assert.sameDeepMembers([...meter.read(4 * minute)], [
      { root: "a", requests: 1, busy_ms: 4, calls: 1 },
      { root: "b", requests: 2, busy_ms: 0, calls: 0 }
    ])
    assert.sameDeepMembers([...meter.read(5.5 * minute)], [
      { root: "a", requests: 0, busy_ms: 0, calls: 1 },
      { root: "b", requests: 2, busy_ms: 0, calls: 0 }
    ])
    assert.deepStrictEqual(meter.read(20 * minute), [])
  })

  it("counts at most 200 tenants of a period apart, and loses no work", () => {
    const meter = makeTenantMeter()
    for (let index = 0; index < 1_000; index++) meter.count(0, `root ${index}`, { requests: 1 })
    const read = meter.read(0)
    assert.strictEqual(read.length, 201)
    assert.strictEqual(read.find(({ root }) => root === "other")?.requests, 800)
  })

  it("adds up the loads of nodes without loss, the largest first", () => {
    fc.assert(fc.property(loads, fc.integer({ min: 1, max: 4 }), (all, most) => {
      const joined = joinLoads(all, most)
      assert.deepStrictEqual(totalOf(joined), totalOf(all))
      const tenants = joined.filter(({ root }) => root !== "other")
      assert.isAtMost(tenants.length, most)
      assert.strictEqual(new Set(joined.map(({ root }) => root)).size, joined.length)
      tenants.slice(1).forEach((load, index) => assert.isAtMost(load.busy_ms, tenants[index]?.busy_ms ?? 0))
    }))
  })
})

describe("the meter of a fiber", () => {
  it.live("measures the time in which the fiber runs, without its waits", () =>
    Effect.gen(function*() {
      let now = 0n
      const work = Effect.sync(() => {
        now += 3_000_000n
      })
      const [waits, ends] = [Latch.makeUnsafe(), Latch.makeUnsafe()]
      const fiber = yield* Effect.forkChild(waits.await.pipe(
        Effect.andThen(work),
        Effect.andThen(ends.await),
        Effect.andThen(work)
      ))
      const read = meterFiber(fiber, () => now)
      now += 100_000_000n
      yield* waits.open
      yield* Effect.yieldNow
      assert.strictEqual(read(), 3)
      now += 100_000_000n
      yield* ends.open
      yield* Effect.yieldNow
      assert.strictEqual(read(), 6)
    }))
})
