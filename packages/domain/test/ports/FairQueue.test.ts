import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import * as fc from "fast-check"
import { examples } from "../../../../test/rounds.ts"
import {
  emptyQueue,
  type Entry,
  type FairQueue,
  joinQueue,
  leaveQueue,
  type QueueLimits,
  startNext
} from "../../src/ports/FairQueue.ts"

const addresses = ["flood", "a", "b", "c"]

type Step = { readonly _tag: "Join"; readonly address: string } | { readonly _tag: "Start" } | {
  readonly _tag: "Leave"
  readonly pick: number
}

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ _tag: fc.constant("Join" as const), address: fc.constantFrom(...addresses) }) },
  { weight: 4, arbitrary: fc.constant({ _tag: "Join" as const, address: "flood" }) },
  { weight: 4, arbitrary: fc.constant({ _tag: "Start" as const }) },
  { weight: 3, arbitrary: fc.record({ _tag: fc.constant("Leave" as const), pick: fc.nat() }) }
)

const someLimits: fc.Arbitrary<QueueLimits> = fc.record({
  concurrent: fc.integer({ min: 1, max: 4 }),
  perKey: fc.integer({ min: 1, max: 6 }),
  waiting: fc.integer({ min: 1, max: 10 })
})

const of = (turns: ReadonlyArray<Entry>, address: string) => turns.filter((turn) => turn.key === address)

/** Applies random steps, and checks each one. */
const checkSteps = (
  check: (
    seen: {
      readonly step: Step
      readonly before: FairQueue
      readonly after: FairQueue
      readonly turn: Entry | undefined
      readonly refused: Entry | undefined
    },
    limits: QueueLimits
  ) => void
) =>
  fc.assert(
    fc.property(someLimits, fc.array(step, { maxLength: 80 }), (limits, steps) => {
      let queue = emptyQueue
      steps.forEach((step, id) => {
        const before = queue
        if (step._tag === "Join") {
          const turn = { id, key: step.address }
          const joined = joinQueue(before, turn, limits)
          queue = joined.queue
          return check({ step, before, after: queue, turn, refused: Option.getOrUndefined(joined.refused) }, limits)
        }
        if (step._tag === "Start") {
          const started = Option.getOrUndefined(startNext(before, limits))
          queue = started?.queue ?? before
          return check({ step, before, after: queue, turn: started?.entry, refused: undefined }, limits)
        }
        const all = [...before.running, ...before.waiting]
        const turn = all[step.pick % Math.max(1, all.length)]
        if (turn !== undefined) queue = leaveQueue(before, turn)
        check({ step, before, after: queue, turn, refused: undefined }, limits)
      })
    }),
    { numRuns: examples(1_000) }
  )

describe("FairQueue", () => {
  it("T37 T61 AUTH-15 the limits hold at every moment", () =>
    checkSteps(({ after }, limits) => {
      assert.isAtMost(after.running.length, limits.concurrent)
      assert.isAtMost(after.waiting.length, limits.waiting)
      for (const address of addresses) {
        assert.isAtMost(of([...after.running, ...after.waiting], address).length, limits.perKey)
      }
    }))

  it("T61 AUTH-15 a hash is refused only over its own limit, or when its address has the most waiting hashes", () =>
    checkSteps(({ after, before, refused, step, turn }, limits) => {
      if (step._tag !== "Join" || turn === undefined) return
      if (refused === undefined) return assert.deepStrictEqual(after.waiting, [...before.waiting, turn])
      const asked = of([...before.running, ...before.waiting], turn.key).length
      if (asked >= limits.perKey) return assert.strictEqual(refused, turn)
      assert.strictEqual(before.waiting.length, limits.waiting)
      const those = of([...before.waiting, turn], refused.key)
      assert.strictEqual(refused, those.at(-1), "the newest")
      for (const address of addresses) {
        assert.isAtMost(of(after.waiting, address).length, Math.max(1, those.length), address)
      }
      assert.strictEqual(after.waiting.length, limits.waiting)
    }))

  it("T61 AUTH-16 a hash starts whenever one waits and a place is free", () =>
    checkSteps(({ before, step, turn }, limits) => {
      if (step._tag !== "Start") return
      assert.strictEqual(turn !== undefined, before.waiting.length > 0 && before.running.length < limits.concurrent)
    }))

  it("T61 AUTH-16 addresses take turns, and the hashes of one address start in order", () =>
    checkSteps(({ before, step, turn }) => {
      if (step._tag !== "Start" || turn === undefined) return
      assert.strictEqual(turn, of(before.waiting, turn.key)[0])
      const rank = (address: string) => before.served.indexOf(`${address}/${address}`)
      for (const { key } of before.waiting) assert.isAtMost(rank(turn.key), rank(key))
    }))

  it("T61 AUTH-16 an address with one hash waits for at most one turn of each other address", () => {
    const limits = { concurrent: 1, perKey: 64, waiting: 256 }
    fc.assert(fc.property(fc.integer({ min: 1, max: 64 }), fc.integer({ min: 1, max: 4 }), (flood, floods) => {
      let queue = emptyQueue
      let id = 0
      const join = (address: string) => {
        queue = joinQueue(queue, { id: id++, key: address }, limits).queue
      }
      for (let n = 0; n < flood; n++) for (let from = 0; from < floods; from++) join(`flood ${from}`)
      const start = () => {
        const started = Option.getOrThrow(startNext(queue, limits))
        queue = leaveQueue(started.queue, started.entry)
        return started.entry.key
      }
      for (let n = 0; n < floods; n++) start()
      join("a")
      const order = Array.from({ length: Math.min(queue.waiting.length, floods + 1) }, start)
      assert.include(order, "a")
    }))
  })

  it("AUTH-16 keeps no address without a hash in the queue", () =>
    checkSteps(({ after }) => {
      const present = new Set([...after.running, ...after.waiting].flatMap(({ key }) => [key, `${key}/${key}`]))
      for (const address of after.served) assert.isTrue(present.has(address), address)
      assert.strictEqual(new Set(after.served).size, after.served.length)
    }))
})
