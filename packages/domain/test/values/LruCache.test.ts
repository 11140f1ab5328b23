import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { LruCache } from "../../src/values/LruCache.ts"

describe("LruCache", () => {
  it("evicts the least recently used entry when it is full", () => {
    const cache = new LruCache<string, number>(2)
    cache.set("a", 1)
    cache.set("b", 2)
    assert.strictEqual(cache.get("a"), 1)
    cache.set("c", 3)
    assert.deepStrictEqual([cache.get("a"), cache.get("b"), cache.get("c")], [1, undefined, 3])
    cache.set("a", 4)
    cache.set("d", 5)
    assert.deepStrictEqual([cache.get("a"), cache.get("c"), cache.get("d")], [4, undefined, 5])
  })

  it("behaves like a list in order of use", () => {
    const key = fc.integer({ min: 0, max: 6 })
    fc.assert(
      fc.property(
        fc.array(fc.record({ key, set: fc.boolean() })),
        fc.integer({ min: 1, max: 4 }),
        (steps, capacity) => {
          const cache = new LruCache<number, number>(capacity)
          let model: ReadonlyArray<number> = []
          for (const { key, set } of steps) {
            if (set) cache.set(key, key * 10)
            else assert.strictEqual(cache.get(key), model.includes(key) ? key * 10 : undefined)
            if (set || model.includes(key)) model = [...model.filter((other) => other !== key), key].slice(-capacity)
          }
        }
      ),
      { numRuns: 1000 }
    )
  })
})
