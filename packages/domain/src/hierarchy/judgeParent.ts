import { type Option, Result } from "effect"
import { type PartnerId } from "../id/ids.ts"
import { type FieldProblem, fieldProblem, problem } from "../validation/FieldProblem.ts"
import { type FoundRecord, type InScope, judgeFound } from "./Scope.ts"

/**
 * A partner that a body refers to (a new parent, the partner of a user) must exist and lie in the caller's subtree. Otherwise the
 * field has the problem NOT_FOUND or OUTSIDE_HIERARCHY.
 * @rule HIER-03
 */
export const judgeReference = (
  field: string,
  found: Option.Option<FoundRecord<PartnerId>>
): Result.Result<InScope<PartnerId>, FieldProblem> =>
  Result.mapError(
    judgeFound(found),
    ({ _tag }) => fieldProblem(field, problem(_tag === "NotFound" ? "NOT_FOUND" : "OUTSIDE_HIERARCHY"))
  )

/**
 * A partner cannot be moved below itself or one of its descendants: CYCLE.
 * @rule HIER-04
 */
export const judgeCycle = (field: string, parentIsWithinPartner: boolean): Result.Result<void, FieldProblem> =>
  parentIsWithinPartner ? Result.fail(fieldProblem(field, problem("CYCLE"))) : Result.void
