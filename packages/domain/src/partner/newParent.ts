import { Effect, Result } from "effect"
import { type Allowed, PermissionDenied } from "../access/Authorization.ts"
import { type Caller } from "../access/Caller.ts"
import { judgeCycle, judgeReference } from "../hierarchy/judgeParent.ts"
import { type InScope, scopeOf } from "../hierarchy/Scope.ts"
import { type FieldProblem } from "../input/FieldProblem.ts"
import { fieldPath } from "../input/problemsOf.ts"
import { valueAt } from "../input/valueAt.ts"
import { idAt, PartnerTree } from "../ports/PartnerTree.ts"
import { type PartnerId } from "../values/ids.ts"
import { type PartnerDetail } from "./PartnerDetail.ts"

/** The path of the parent's id in the bodies that create and change a partner. */
export const parentPath = ["partner", "parent_uuid"] as const

/** Returns whether a patch contains `parent_uuid`. If so, the tree must be locked for a move. */
export const mentionsParent = (body: unknown): boolean => valueAt(body, parentPath) !== undefined

/** Returns the parent id in a patch, if it is well-formed and differs from the stored one. */
const newParentId = (stored: PartnerDetail, body: unknown): PartnerId | undefined => {
  const parsed = idAt<PartnerId>(body, parentPath)
  return parsed === stored.parent_id ? undefined : parsed
}

/**
 * A caller cannot move its own partner, because that would change its own scope.
 * @rule PARTNER-03
 */
export const judgeOwnMove = (
  caller: Caller,
  partner: PartnerId,
  parent: PartnerId | undefined
): Result.Result<void, PermissionDenied> =>
  parent !== undefined && partner === caller.partner_id ? Result.fail(new PermissionDenied()) : Result.void

/**
 * Finds the new parent in a patch and checks that the move is allowed. Returns undefined if the parent does not change.
 * Fails if the partner to move is the caller's own.
 */
export const newParent = Effect.fnUntraced(function*(
  allowed: Allowed<"partners:write">,
  partner: InScope<PartnerDetail>,
  body: unknown
) {
  const tree = yield* PartnerTree
  const id = newParentId(partner.record, body)
  yield* Effect.fromResult(judgeOwnMove(allowed.caller, partner.record.partner_id, id))
  if (id === undefined) return Result.succeed(undefined)
  const field = fieldPath(parentPath)
  const reference = judgeReference(field, yield* tree.find(scopeOf(allowed), id))
  if (Result.isFailure(reference)) return reference
  const cycle = judgeCycle(field, yield* tree.isWithin(partner, reference.success))
  return Result.andThen(cycle, reference) satisfies Result.Result<InScope<PartnerId>, FieldProblem>
})
