import { assert, describe, it } from "@effect/vitest"
import { forestShape } from "@lastro/testkit/arbitraries"
import { naiveForest } from "@lastro/testkit/scenarios"
import { Result } from "effect"
import * as fc from "fast-check"
import { examples } from "../../../../test/rounds.ts"
import {
  DuplicatePartner,
  hierarchyOf,
  judgeWithin,
  ParentCycle,
  UnknownParent
} from "../../src/hierarchy/Hierarchy.ts"

type Pair = readonly [id: string, parent: string | null]

const name = (index: number): string => `p${index}`

const pairsOf = (shape: ReadonlyArray<number | null>): ReadonlyArray<Pair> =>
  shape.map((parent, index) => [name(index), parent === null ? null : name(parent)])

/** Forests with partners in any order. */
const forest: fc.Arbitrary<ReadonlyArray<Pair>> = forestShape(24)
  .map(pairsOf)
  .chain((pairs) => fc.shuffledSubarray([...pairs], { minLength: pairs.length }))

/** Checks a property for forests, with their ids and one unknown id. */
const checkForests = (numRuns: number, property: (pairs: ReadonlyArray<Pair>, ids: ReadonlyArray<string>) => void) =>
  fc.assert(fc.property(forest, (pairs) => property(pairs, [...pairs.map(([id]) => id), "unknown"])), {
    numRuns: examples(numRuns)
  })

const build = (pairs: Iterable<Pair>) => Result.getOrThrow(hierarchyOf(pairs))

/** A chain: each partner is the parent of the next. */
const chain = (length: number): ReadonlyArray<Pair> =>
  Array.from({ length }, (_, index) => [name(index), index === 0 ? null : name(index - 1)])

describe("Hierarchy", () => {
  it("HIER-05 isWithin equals walking up from parent to parent", () =>
    checkForests(500, (pairs, ids) => {
      const hierarchy = build(pairs)
      const naive = new Map(pairs)
      assert.strictEqual(hierarchy.size, naive.size)
      for (const top of ids) {
        assert.deepStrictEqual(
          ids.filter((id) => hierarchy.isWithin(top, id)),
          ids.filter((id) => naiveForest.isWithin(naive, top, id))
        )
      }
    }))

  it("HIER-05 a subtree contains all descendants, parents before their children", () =>
    checkForests(300, (pairs, ids) => {
      const hierarchy = build(pairs)
      const naive = new Map(pairs)
      for (const top of ids) {
        const subtree = hierarchy.subtree(top)
        assert.deepStrictEqual(subtree.toSorted(), naiveForest.subtree(naive, top).toSorted())
        for (const [index, id] of subtree.entries()) {
          if (index > 0) assert.isBelow(subtree.indexOf(naive.get(id) ?? ""), index)
        }
      }
    }))

  it("HIER-05 a path leads from the partner up to its root", () =>
    checkForests(300, (pairs, ids) => {
      const hierarchy = build(pairs)
      const naive = new Map(pairs)
      for (const id of ids) assert.deepStrictEqual(hierarchy.pathToRoot(id), naiveForest.pathToRoot(naive, id))
    }))

  it("HIER-02 judgeWithin returns NotFound for an unknown id, OutsideHierarchy outside the subtree, and the record inside", () =>
    checkForests(50, (pairs, ids) => {
      const hierarchy = build(pairs)
      const naive = new Map(pairs)
      for (const top of ids) {
        for (const id of ids) {
          const judged = Result.match(judgeWithin(hierarchy, top, id), {
            onSuccess: ({ record }) => record,
            onFailure: ({ _tag }) => _tag
          })
          const inside = naiveForest.isWithin(naive, top, id)
          assert.strictEqual(judged, inside ? id : naive.has(id) ? "OutsideHierarchy" : "NotFound")
        }
      }
    }))

  it("HIER-05 a duplicate partner is rejected, with the same or another parent", () =>
    fc.assert(fc.property(forest, fc.nat(), fc.nat(), (pairs, one, other) => {
      const [id] = pairs[one % pairs.length] ?? [""]
      const parent = pairs[other % pairs.length]?.[1] ?? null
      assert.deepStrictEqual(hierarchyOf([...pairs, [id, parent]]), Result.fail(new DuplicatePartner({ id })))
    })))

  it("HIER-05 an unknown parent is rejected", () =>
    fc.assert(fc.property(forest, (pairs) => {
      assert.deepStrictEqual(
        hierarchyOf([["new", "unknown"], ...pairs]),
        Result.fail(new UnknownParent({ id: "new" }))
      )
    })))

  it("HIER-05 a cycle is rejected wherever it closes, with any descendants below it", () =>
    fc.assert(fc.property(forest, fc.nat(), fc.nat(), (pairs, one, other) => {
      const naive = new Map(pairs)
      const [id] = pairs[one % pairs.length] ?? [""]
      const below = naiveForest.subtree(naive, id)
      const cyclic = new Map(naive).set(id, below[other % below.length] ?? id)
      const refused = Result.flip(hierarchyOf(cyclic))
      assert.isTrue(Result.isSuccess(refused) && refused.success instanceof ParentCycle)
      assert.include(below, Result.getOrThrow(refused).id)
    })))

  it("HIER-05 a cycle is rejected even if there is no root", () => {
    assert.deepStrictEqual(hierarchyOf([["a", "a"]]), Result.fail(new ParentCycle({ id: "a" })))
    assert.deepStrictEqual(hierarchyOf([["a", "b"], ["b", "a"]]), Result.fail(new ParentCycle({ id: "a" })))
  })

  it("an empty hierarchy contains no partner", () => {
    const empty = build([])
    assert.strictEqual(empty.size, 0)
    assert.isFalse(empty.isWithin("a", "a"))
    assert.deepStrictEqual([empty.subtree("a"), empty.pathToRoot("a")], [[], []])
  })

  it("is unaffected by changes to its input or to its results", () => {
    const pairs = [...chain(3)]
    const hierarchy = build(pairs)
    pairs.push(["late", "p0"])
    ;(hierarchy.subtree("p0") as Array<string>).length = 0
    ;(hierarchy.pathToRoot("p2") as Array<string>).length = 0
    assert.isFalse(hierarchy.isWithin("p0", "late"))
    assert.deepStrictEqual(hierarchy.subtree("p0"), ["p0", "p1", "p2"])
    assert.deepStrictEqual(hierarchy.pathToRoot("p2"), ["p2", "p1", "p0"])
  })

  it("supports a depth beyond the call stack and more children than a call has arguments", () => {
    const deep = build(chain(30_000))
    assert.isTrue(deep.isWithin("p0", "p29999"))
    assert.isFalse(deep.isWithin("p29999", "p0"))
    assert.strictEqual(deep.pathToRoot("p29999").length, 30_000)
    const many = Array.from({ length: 150_000 }, (_, index) => name(index))
    const wide = build([["top", null], ...many.map((id) => [id, "top"] as const)])
    assert.strictEqual(wide.subtree("top").length, 150_001)
    assert.strictEqual(build(many.map((id) => [id, null])).pathToRoot("p7").length, 1)
  })
})
