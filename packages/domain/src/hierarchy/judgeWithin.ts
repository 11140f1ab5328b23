import { Option, type Result } from "effect"
import { type Hierarchy } from "./Hierarchy.ts"
import { found, type InScope, judge, type NotFound, type OutsideHierarchy } from "./Scope.ts"

/** Judges `id` for whoever sees `top` and what is below it, by a hierarchy in memory: as {@link judge} does by a repository. */
export const judgeWithin = <Id extends string>(
  hierarchy: Hierarchy<Id>,
  top: Id,
  id: Id
): Result.Result<InScope<Id>, NotFound | OutsideHierarchy> =>
  judge(hierarchy.has(id) ? Option.some(found(id, hierarchy.isWithin(top, id))) : Option.none())
