import { Result } from "effect"

/**
 * A forest as a map from each node to its parent, `null` for a root. Reference model of the hierarchy: slow, but simple
 * enough to be evidently correct.
 */
export type NaiveForest<Id> = ReadonlyMap<Id, Id | null>

/** The reasons for refusing a change of a forest. */
export type ForestRefusal = "unknown" | "cycle" | "has children"

/** Builds the forest of partners. */
export const forestOf = <Id>(
  partners: ReadonlyArray<{ readonly partner_id: Id; readonly parent_id: Id | null }>
): NaiveForest<Id> => new Map(partners.map(({ parent_id, partner_id }) => [partner_id, parent_id]))

/** Returns a node and its ancestors, the root last; nothing for an unknown node. Throws on a cycle. */
export const pathToRoot = <Id>(forest: NaiveForest<Id>, id: Id): ReadonlyArray<Id> => {
  const path: Array<Id> = []
  for (let at: Id | null | undefined = id; at !== null && at !== undefined && forest.has(at); at = forest.get(at)) {
    if (path.includes(at)) throw new Error(`The ancestors of ${String(id)} form a cycle.`)
    path.push(at)
  }
  return path
}

/** Returns the root of the tree of a node; undefined for an unknown node. */
export const rootOf = <Id>(forest: NaiveForest<Id>, id: Id): Id | undefined => pathToRoot(forest, id).at(-1)

/** Checks whether `id` is `top` or a descendant of it. */
export const isWithin = <Id>(forest: NaiveForest<Id>, top: Id, id: Id): boolean => pathToRoot(forest, id).includes(top)

/** Returns `top` and its descendants, in the order of the forest. */
export const subtree = <Id>(forest: NaiveForest<Id>, top: Id): ReadonlyArray<Id> =>
  [...forest.keys()].filter((id) => isWithin(forest, top, id))

/** Returns the children of a node. */
export const childrenOf = <Id>(forest: NaiveForest<Id>, parent: Id): ReadonlyArray<Id> =>
  [...forest].filter(([, above]) => above === parent).map(([id]) => id)

/** Moves a node with its subtree below another parent. */
export const move = <Id>(
  forest: NaiveForest<Id>,
  id: Id,
  parent: Id
): Result.Result<NaiveForest<Id>, ForestRefusal> => {
  if (!forest.has(id) || !forest.has(parent)) return Result.fail("unknown")
  return isWithin(forest, id, parent) ? Result.fail("cycle") : Result.succeed(new Map(forest).set(id, parent))
}

/** Removes a node without children. */
export const remove = <Id>(forest: NaiveForest<Id>, id: Id): Result.Result<NaiveForest<Id>, ForestRefusal> => {
  if (!forest.has(id)) return Result.fail("unknown")
  return childrenOf(forest, id).length > 0
    ? Result.fail("has children")
    : Result.succeed(new Map([...forest].filter(([other]) => other !== id)))
}
