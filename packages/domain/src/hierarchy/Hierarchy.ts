import { Option, Result } from "effect"
import { Refusal } from "../input/Refusal.ts"
import { type InScope, judgeFound, type NotFound, type OutsideHierarchy, sealFound } from "./Scope.ts"

/**
 * Checks that `id` is in the subtree of `top`, in a hierarchy in memory. For a record from a repository, use {@link
 * judgeFound}.
 */
export const judgeWithin = <Id extends string>(
  hierarchy: Hierarchy<Id>,
  top: Id,
  id: Id
): Result.Result<InScope<Id>, NotFound | OutsideHierarchy> =>
  judgeFound(hierarchy.has(id) ? Option.some(sealFound(id, hierarchy.isWithin(top, id))) : Option.none())

/** The same partner appears twice. */
export class DuplicatePartner
  extends Refusal("DuplicatePartner", "The list contains this partner twice.", ["id"])<{ readonly id: string }>
{}

/** The list of partners does not contain the parent of this partner. */
export class UnknownParent
  extends Refusal("UnknownParent", "The list does not contain the parent of this partner.", ["id"])<
    { readonly id: string }
  >
{}

/** The ancestors of this partner form a cycle. */
export class ParentCycle
  extends Refusal("ParentCycle", "The ancestors of this partner form a cycle.", ["id"])<{ readonly id: string }>
{}

/** An immutable forest of partners in memory. After a move of a partner, build a new forest. */
export interface Hierarchy<Id extends string> {
  /** The number of partners. */
  readonly size: number
  /** Returns whether the forest contains a partner. */
  readonly has: (id: Id) => boolean
  /**
   * Returns whether `id` is `top` or one of its descendants. Returns false if `id` or `top` is missing. Takes constant
   * time.
   */
  readonly isWithin: (top: Id, id: Id) => boolean
  /** Returns `top` and its descendants, parents before children. Returns an empty list if `top` is missing. */
  readonly subtree: (top: Id) => ReadonlyArray<Id>
  /** Returns `id` and its ancestors, ending with the root. Returns an empty list if `id` is missing. */
  readonly pathToRoot: (id: Id) => ReadonlyArray<Id>
}

/**
 * Partners form a forest: every partner appears once, its parent exists (`null` for a root), and there are no cycles.
 *
 * `parents` lists pairs of a partner and its parent, in any order. Partners are numbered depth first, so that each
 * subtree is a contiguous range of numbers.
 * @rule HIER-05
 */
export const hierarchyOf = <Id extends string>(
  parents: Iterable<readonly [id: Id, parent: Id | null]>
): Result.Result<Hierarchy<Id>, DuplicatePartner | UnknownParent | ParentCycle> => {
  const parentOf = new Map<Id, Id | null>()
  const childrenOf = new Map<Id | null, Array<Id>>()
  for (const [id, parent] of parents) {
    if (parentOf.has(id)) return Result.fail(new DuplicatePartner({ id }))
    parentOf.set(id, parent)
    const siblings = childrenOf.get(parent)
    if (siblings === undefined) childrenOf.set(parent, [id])
    else siblings.push(id)
  }
  for (const [id, parent] of parentOf) {
    if (parent !== null && !parentOf.has(parent)) return Result.fail(new UnknownParent({ id }))
  }
  const ordered = depthFirst(childrenOf)
  const numbers = new Map(ordered.map((id, number) => [id, number]))
  for (const id of parentOf.keys()) if (!numbers.has(id)) return Result.fail(new ParentCycle({ id }))
  const sizes = subtreeSizes(ordered, parentOf)
  // The number of the last partner of each subtree, at the number of its first partner.
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

/**
 * Returns all partners that can be reached from the roots, in depth-first order. It uses a loop, because a tree can be
 * deeper than the call stack.
 */
const depthFirst = <Id>(childrenOf: ReadonlyMap<Id | null, ReadonlyArray<Id>>): ReadonlyArray<Id> => {
  const ordered: Array<Id> = []
  const waiting: Array<Id> = [...childrenOf.get(null) ?? []]
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    ordered.push(id)
    for (const child of childrenOf.get(id) ?? []) waiting.push(child)
  }
  return ordered
}

/** Counts the partners of each subtree, including its top. A partner without children has no entry. */
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
