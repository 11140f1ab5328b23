import { Option, type Result } from "effect"
import { type Hierarchy } from "./Hierarchy.ts"
import { found, type InScope, judge, type NotFound, type OutsideHierarchy } from "./Scope.ts"

/** Judges access to `id` from the subtree of `top`, with an in-memory hierarchy. {@link judge} does the same for a repository. */
export const judgeWithin = <Id extends string>(
  hierarchy: Hierarchy<Id>,
  top: Id,
  id: Id
): Result.Result<InScope<Id>, NotFound | OutsideHierarchy> =>
  judge(hierarchy.has(id) ? Option.some(found(id, hierarchy.isWithin(top, id))) : Option.none())
