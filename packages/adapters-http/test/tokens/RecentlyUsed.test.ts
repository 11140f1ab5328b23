import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { RecentlyUsed } from "../../src/tokens/RecentlyUsed.ts"

describe("RecentlyUsed", () => {
  it("forgets what was not asked for longest, and never holds more than its capacity", () => {
    const recent = new RecentlyUsed<string, number>(2)
    recent.set("a", 1)
    recent.set("b", 2)
    assert.strictEqual(recent.get("a"), 1)
    recent.set("c", 3)
    assert.deepStrictEqual([recent.get("a"), recent.get("b"), recent.get("c")], [1, undefined, 3])
    recent.set("a", 4)
    recent.set("d", 5)
    assert.deepStrictEqual([recent.get("a"), recent.get("c"), recent.get("d")], [4, undefined, 5])
  })

  it("holds the last keys that were touched, like a list that is kept in their order", () => {
    const key = fc.integer({ min: 0, max: 6 })
    fc.assert(
      fc.property(
        fc.array(fc.record({ key, set: fc.boolean() })),
        fc.integer({ min: 1, max: 4 }),
        (steps, capacity) => {
          const recent = new RecentlyUsed<number, number>(capacity)
          let model: ReadonlyArray<number> = []
          for (const { key, set } of steps) {
            if (set) recent.set(key, key * 10)
            else assert.strictEqual(recent.get(key), model.includes(key) ? key * 10 : undefined)
            if (set || model.includes(key)) model = [...model.filter((one) => one !== key), key].slice(-capacity)
          }
        }
      ),
      { numRuns: 1000 }
    )
  })
})
