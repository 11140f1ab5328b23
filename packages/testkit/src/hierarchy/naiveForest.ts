import { Result } from "effect"

/**
 * A forest as a map from each node to its parent, or `null` for a root. It is a reference model of the hierarchy: slow,
 * but so simple that it is evidently correct.
 */
export type NaiveForest<Id> = ReadonlyMap<Id, Id | null>

/** The error codes of {@link move} and {@link remove}. */
export type ForestRefusal = "unknown" | "cycle" | "has children"

/** Maps each partner to its parent. */
export const forestOf = <Id>(
  partners: ReadonlyArray<{ readonly partner_id: Id; readonly parent_id: Id | null }>
): NaiveForest<Id> => new Map(partners.map(({ parent_id, partner_id }) => [partner_id, parent_id]))

/**
 * Returns a node and its ancestors, ending with the root. Empty for an unknown node. Throws if the ancestors form a
 * cycle.
 */
export const pathToRoot = <Id>(forest: NaiveForest<Id>, id: Id): ReadonlyArray<Id> => {
  const path: Array<Id> = []
  for (let at: Id | null | undefined = id; at !== null && at !== undefined && forest.has(at); at = forest.get(at)) {
    if (path.includes(at)) throw new Error(`The ancestors of ${String(id)} form a cycle.`)
    path.push(at)
  }
  return path
}

/** Returns the root of the tree that contains a node; undefined for an unknown node. */
export const rootOf = <Id>(forest: NaiveForest<Id>, id: Id): Id | undefined => pathToRoot(forest, id).at(-1)

/** Returns whether `id` is `top` or one of its descendants. */
export const isWithin = <Id>(forest: NaiveForest<Id>, top: Id, id: Id): boolean => pathToRoot(forest, id).includes(top)

/** Returns `top` and its descendants, in the order in which the forest lists them. */
export const subtree = <Id>(forest: NaiveForest<Id>, top: Id): ReadonlyArray<Id> =>
  [...forest.keys()].filter((id) => isWithin(forest, top, id))

/** Returns the children of a node. */
export const childrenOf = <Id>(forest: NaiveForest<Id>, parent: Id): ReadonlyArray<Id> =>
  [...forest].filter(([, above]) => above === parent).map(([id]) => id)

/** Moves a node and its subtree to another parent. */
export const move = <Id>(
  forest: NaiveForest<Id>,
  id: Id,
  parent: Id
): Result.Result<NaiveForest<Id>, ForestRefusal> => {
  if (!forest.has(id) || !forest.has(parent)) return Result.fail("unknown")
  return isWithin(forest, id, parent) ? Result.fail("cycle") : Result.succeed(new Map(forest).set(id, parent))
}

/** Removes a node. A node with children cannot be removed. */
export const remove = <Id>(forest: NaiveForest<Id>, id: Id): Result.Result<NaiveForest<Id>, ForestRefusal> => {
  if (!forest.has(id)) return Result.fail("unknown")
  return childrenOf(forest, id).length > 0
    ? Result.fail("has children")
    : Result.succeed(new Map([...forest].filter(([other]) => other !== id)))
}
