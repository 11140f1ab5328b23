import { Result } from "effect"

/**
 * A forest as nothing but who hangs below whom: each node's parent, `null` for a root. The specification of the
 * hierarchy: slow, and so short that it is obviously right. Real adapters are compared with it.
 */
export type NaiveForest<Id> = ReadonlyMap<Id, Id | null>

/** Why a forest could not be changed. */
export type ForestRefusal = "unknown" | "cycle" | "has children"

/** The forest that partners stand in, deleted ones included if they are given. */
export const forestOf = <Id>(
  partners: ReadonlyArray<{ readonly partner_id: Id; readonly parent_id: Id | null }>
): NaiveForest<Id> => new Map(partners.map(({ parent_id, partner_id }) => [partner_id, parent_id]))

/** A node and everything above it, the root last; empty for a node that is not there. Throws where parents run in a circle. */
export const pathToRoot = <Id>(forest: NaiveForest<Id>, id: Id): ReadonlyArray<Id> => {
  const path: Array<Id> = []
  for (let at: Id | null | undefined = id; at !== null && at !== undefined && forest.has(at); at = forest.get(at)) {
    if (path.includes(at)) throw new Error(`the parents of ${String(id)} run in a circle`)
    path.push(at)
  }
  return path
}

/** The root of the tree a node stands in; undefined for a node that is not there. */
export const rootOf = <Id>(forest: NaiveForest<Id>, id: Id): Id | undefined => pathToRoot(forest, id).at(-1)

/** Whether `id` is `top` itself or lies anywhere below it. */
export const isWithin = <Id>(forest: NaiveForest<Id>, top: Id, id: Id): boolean => pathToRoot(forest, id).includes(top)

/** `top` and everything below it, in the order of the forest. */
export const subtree = <Id>(forest: NaiveForest<Id>, top: Id): ReadonlyArray<Id> =>
  [...forest.keys()].filter((id) => isWithin(forest, top, id))

/** The nodes directly below `parent`. */
export const childrenOf = <Id>(forest: NaiveForest<Id>, parent: Id): ReadonlyArray<Id> =>
  [...forest].filter(([, above]) => above === parent).map(([id]) => id)

/** Hangs a node, with its whole subtree, below another parent. */
export const move = <Id>(
  forest: NaiveForest<Id>,
  id: Id,
  parent: Id
): Result.Result<NaiveForest<Id>, ForestRefusal> => {
  if (!forest.has(id) || !forest.has(parent)) return Result.fail("unknown")
  return isWithin(forest, id, parent) ? Result.fail("cycle") : Result.succeed(new Map(forest).set(id, parent))
}

/** Takes a node without children out. */
export const remove = <Id>(forest: NaiveForest<Id>, id: Id): Result.Result<NaiveForest<Id>, ForestRefusal> => {
  if (!forest.has(id)) return Result.fail("unknown")
  return childrenOf(forest, id).length > 0
    ? Result.fail("has children")
    : Result.succeed(new Map([...forest].filter(([other]) => other !== id)))
}
