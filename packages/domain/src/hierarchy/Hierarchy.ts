import { Data, Result } from "effect"

/** A partner is given twice: which of its parents counts cannot be told. */
export class PartnerTwice extends Data.TaggedError("PartnerTwice")<{ readonly id: string }> {}

/** The parent of this partner is not there. */
export class ParentUnknown extends Data.TaggedError("ParentUnknown")<{ readonly id: string }> {}

/** Going up from this partner, parent by parent, never ends. */
export class ParentsInCircle extends Data.TaggedError("ParentsInCircle")<{ readonly id: string }> {}

/** Who is above whom, in memory and without a database. It never changes: after a move, another one is made. */
export interface Hierarchy<Id extends string> {
  /** How many partners there are. */
  readonly size: number
  /** Whether a partner is there. */
  readonly has: (id: Id) => boolean
  /**
   * Whether `id` is `top` itself or lies anywhere below it; false where either is not there. Takes the same time however large
   * and deep the hierarchy is.
   */
  readonly isWithin: (top: Id, id: Id) => boolean
  /** `top` and everything below it, parents before their children; empty where `top` is not there. */
  readonly subtree: (top: Id) => ReadonlyArray<Id>
  /** `id` and everything above it, the root last; empty where `id` is not there. */
  readonly pathToRoot: (id: Id) => ReadonlyArray<Id>
}

/**
 * A hierarchy is a forest: every partner is there once, its parent, `null` for a root, is there too, and nobody is above
 * itself.
 *
 * `parents` are pairs of a partner and its parent, in any order. Partners are numbered so that every subtree is an unbroken
 * run of numbers: what lies within it lies between the first and the last of them.
 * @rule HIER-05
 */
export const hierarchyOf = <Id extends string>(
  parents: Iterable<readonly [id: Id, parent: Id | null]>
): Result.Result<Hierarchy<Id>, PartnerTwice | ParentUnknown | ParentsInCircle> => {
  const parentOf = new Map<Id, Id | null>()
  const childrenOf = new Map<Id | null, Array<Id>>()
  for (const [id, parent] of parents) {
    if (parentOf.has(id)) return Result.fail(new PartnerTwice({ id }))
    parentOf.set(id, parent)
    const siblings = childrenOf.get(parent)
    if (siblings === undefined) childrenOf.set(parent, [id])
    else siblings.push(id)
  }
  for (const [id, parent] of parentOf) {
    if (parent !== null && !parentOf.has(parent)) return Result.fail(new ParentUnknown({ id }))
  }
  const ordered = depthFirst(childrenOf)
  const numbers = new Map(ordered.map((id, number) => [id, number]))
  for (const id of parentOf.keys()) if (!numbers.has(id)) return Result.fail(new ParentsInCircle({ id }))
  const sizes = subtreeSizes(ordered, parentOf)
  const lasts = Int32Array.from(ordered, (id, first) => first + (sizes.get(id) ?? 1) - 1)
  return Result.succeed({
    size: ordered.length,
    has: (id) => numbers.has(id),
    isWithin: (top, id) => {
      const first = numbers.get(top)
      const number = numbers.get(id)
      return first !== undefined && number !== undefined && first <= number && number <= (lasts[first] ?? first)
    },
    subtree: (top) => {
      const first = numbers.get(top)
      return first === undefined ? [] : ordered.slice(first, (lasts[first] ?? first) + 1)
    },
    pathToRoot: (id) => {
      const path: Array<Id> = []
      for (let at: Id | null = numbers.has(id) ? id : null; at !== null; at = parentOf.get(at) ?? null) path.push(at)
      return path
    }
  })
}

/** All that the roots lead to, each subtree in one piece, its top first. A loop, because a tree may be deeper than the stack. */
const depthFirst = <Id>(childrenOf: ReadonlyMap<Id | null, ReadonlyArray<Id>>): ReadonlyArray<Id> => {
  const ordered: Array<Id> = []
  const waiting: Array<Id> = [...childrenOf.get(null) ?? []]
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    ordered.push(id)
    for (const child of childrenOf.get(id) ?? []) waiting.push(child)
  }
  return ordered
}

/** How many each subtree has, its top included; leaves, which have one, are left out. */
const subtreeSizes = <Id>(
  ordered: ReadonlyArray<Id>,
  parentOf: ReadonlyMap<Id, Id | null>
): ReadonlyMap<Id, number> => {
  const sizes = new Map<Id, number>()
  for (const id of ordered.toReversed()) {
    const parent = parentOf.get(id) ?? null
    if (parent !== null) sizes.set(parent, (sizes.get(parent) ?? 1) + (sizes.get(id) ?? 1))
  }
  return sizes
}
