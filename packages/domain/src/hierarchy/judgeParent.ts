import { type Option, Result } from "effect"
import { type PartnerId } from "../id/PartnerId.ts"
import { at, type FieldProblem, problem } from "../validation/FieldProblem.ts"
import { type Found, type InScope, judge } from "./Scope.ts"

/**
 * A partner that a body refers to (a new parent, the partner a user is given to) has to exist, else NOT_FOUND, and to
 * lie inside the caller's subtree, else OUTSIDE_HIERARCHY, both on the field that names it.
 * @rule HIER-03
 */
export const judgeReference = (
  field: string,
  found: Option.Option<Found<PartnerId>>
): Result.Result<InScope<PartnerId>, FieldProblem> =>
  Result.mapError(
    judge(found),
    ({ _tag }) => at(field, problem(_tag === "NotFound" ? "NOT_FOUND" : "OUTSIDE_HIERARCHY"))
  )

/**
 * A partner is never hung below itself or one of its own descendants, which would cut a cycle off the tree: CYCLE.
 * @rule HIER-04
 */
export const judgeCycle = (field: string, parentIsWithinPartner: boolean): Result.Result<void, FieldProblem> =>
  parentIsWithinPartner ? Result.fail(at(field, problem("CYCLE"))) : Result.void
