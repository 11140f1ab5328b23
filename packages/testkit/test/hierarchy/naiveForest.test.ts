import { assert, describe, it } from "@effect/vitest"
import { forestShape } from "@lastro/testkit/arbitraries"
import { naiveForest } from "@lastro/testkit/scenarios"
import { Result } from "effect"
import * as fc from "fast-check"

const { childrenOf, isWithin, move, pathToRoot, remove, rootOf, subtree } = naiveForest

type Forest = naiveForest.NaiveForest<number>

const forest: fc.Arbitrary<Forest> = forestShape(12).map((shape) => new Map(shape.entries()))

const forestWith = <A>(other: fc.Arbitrary<A>) => fc.record({ forest, a: fc.nat(), b: fc.nat(), other })

const holds = (property: (forest: Forest, a: number, b: number) => void) =>
  fc.assert(
    fc.property(forestWith(fc.constant(undefined)), ({ a, b, forest }) => {
      property(forest, a % forest.size, b % forest.size)
    }),
    { numRuns: 1000 }
  )

const nodes = (one: Forest) => [...one.keys()]

describe("naiveForest", () => {
  it("a path leads from a node to its root, parent by parent", () =>
    holds((forest, a) => {
      const path = pathToRoot(forest, a)
      assert.strictEqual(path[0], a)
      for (const [index, node] of path.entries()) assert.strictEqual(forest.get(node), path[index + 1] ?? null)
      assert.strictEqual(rootOf(forest, a), path.at(-1))
    }))

  it("isWithin is a partial order: reflexive, antisymmetric and transitive", () =>
    holds((forest, a, b) => {
      assert.isTrue(isWithin(forest, a, a))
      if (isWithin(forest, a, b) && isWithin(forest, b, a)) assert.strictEqual(a, b)
      for (const c of nodes(forest)) {
        if (isWithin(forest, a, b) && isWithin(forest, b, c)) assert.isTrue(isWithin(forest, a, c))
      }
    }))

  it("a subtree is its root and the disjoint subtrees of the root's children", () =>
    holds((forest, a) => {
      const below = childrenOf(forest, a).flatMap((child) => subtree(forest, child))
      assert.strictEqual(new Set(below).size, below.length)
      assert.sameMembers([...subtree(forest, a)], [a, ...below])
    }))

  it("the trees of the roots partition the forest", () =>
    holds((forest) => {
      const roots = nodes(forest).filter((node) => forest.get(node) === null)
      assert.sameMembers(roots.flatMap((root) => [...subtree(forest, root)]), nodes(forest))
    }))

  it("a move takes the whole subtree and changes nothing else; a move into its own subtree is a cycle", () =>
    holds((forest, a, b) => {
      const moved = move(forest, a, b)
      if (isWithin(forest, a, b)) return assert.deepStrictEqual(moved, Result.fail("cycle"))
      const after = Result.getOrThrow(moved)
      assert.deepStrictEqual(after, new Map([...forest, [a, b]]))
      assert.deepStrictEqual(subtree(after, a), subtree(forest, a))
      assert.isTrue(isWithin(after, b, a))
    }))

  it("a node is removed only without children", () =>
    holds((forest, a) => {
      const removed = remove(forest, a)
      if (nodes(forest).some((node) => forest.get(node) === a)) {
        return assert.deepStrictEqual(removed, Result.fail("has children"))
      }
      assert.sameMembers([...Result.getOrThrow(removed).keys()], nodes(forest).filter((node) => node !== a))
    }))

  it("an unknown node has no path, is within no subtree, and cannot be moved or removed", () =>
    holds((forest, a) => {
      assert.deepStrictEqual(pathToRoot(forest, -1), [])
      assert.isFalse(isWithin(forest, a, -1))
      assert.isFalse(isWithin(forest, -1, a))
      for (const refused of [move(forest, -1, a), move(forest, a, -1), remove(forest, -1)]) {
        assert.strictEqual(Result.isFailure(refused) && refused.failure, "unknown")
      }
    }))

  it("cyclic parents are refused", () => {
    const circle: Forest = new Map([[0, 1], [1, 2], [2, 0]])
    assert.throws(() => pathToRoot(circle, 0), "cycle")
  })
})
