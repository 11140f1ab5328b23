import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { growTree } from "../../src/seed/growTree.ts"
import { randomness } from "../../src/seed/Randomness.ts"

/** The level of each partner; a root is on level 1. */
const levelsOf = (parents: Int32Array): ReadonlyArray<number> => {
  const levels: Array<number> = []
  for (const parent of parents) levels.push(parent < 0 ? 1 : (levels[parent] ?? Number.NaN) + 1)
  return levels
}

describe("growTree", () => {
  it("is one tree, parents first, whose leaves lie on the levels 3 to 12", () => {
    fc.assert(fc.property(fc.integer({ min: 3, max: 3_000 }), fc.nat(), (size, seed) => {
      const parents = growTree(size, randomness(seed, "tree"))
      assert.strictEqual(parents.length, size)
      assert.isTrue(parents.every((parent, index) => index === 0 ? parent === -1 : parent >= 0 && parent < index))
      const inner = new Set(parents)
      const leaves = levelsOf(parents).filter((_, index) => !inner.has(index))
      assert.isAtMost(Math.max(...leaves), 12)
      assert.isAtLeast(Math.min(...leaves), 3)
    }))
  })

  it("has a few large branches and many small ones, twelve levels deep", () => {
    const parents = growTree(20_000, randomness(1, "tree"))
    assert.strictEqual(Math.max(...levelsOf(parents)), 12)
    const sizes = new Int32Array(parents.length).fill(1)
    for (let index = parents.length - 1; index > 0; index--) sizes[parents[index] ?? 0]! += sizes[index] ?? 0
    const branches = Array.from(sizes).filter((_, index) => parents[index] === 0).toSorted((one, other) => other - one)
    assert.isAbove((branches[0] ?? 0) / (branches[Math.floor(branches.length / 2)] ?? 1), 10)
  })

  it("is a tree of one and of two where there are no more", () => {
    assert.deepStrictEqual([...growTree(1, randomness(1, "tree"))], [-1])
    assert.deepStrictEqual([...growTree(2, randomness(1, "tree"))], [-1, 0])
  })
})
