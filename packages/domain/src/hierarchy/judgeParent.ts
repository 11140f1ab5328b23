import { type Option, Result } from "effect"
import { type FieldProblem, fieldProblem, problem } from "../input/FieldProblem.ts"
import { type FoundRecord, type InScope, judgeFound } from "./Scope.ts"

/**
 * A partner in a request body (as the new parent, or as the partner of a user) must exist and be in the caller's
 * subtree. Otherwise the field is reported as NOT_FOUND or OUTSIDE_HIERARCHY.
 * @rule HIER-03
 */
export const judgeReference = <Id>(
  field: string,
  found: Option.Option<FoundRecord<Id>>
): Result.Result<InScope<Id>, FieldProblem> =>
  Result.mapError(
    judgeFound(found),
    ({ _tag }) => fieldProblem(field, problem(_tag === "NotFound" ? "NOT_FOUND" : "OUTSIDE_HIERARCHY"))
  )

/**
 * Moving a partner below itself or below one of its descendants is refused with CYCLE.
 * @rule HIER-04
 */
export const judgeCycle = (field: string, parentIsWithinPartner: boolean): Result.Result<void, FieldProblem> =>
  parentIsWithinPartner ? Result.fail(fieldProblem(field, problem("CYCLE"))) : Result.void
