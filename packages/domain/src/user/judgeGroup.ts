import { Result } from "effect"
import { type Allowed, type AuthorizedAction, holdsAll, PermissionDenied } from "../access/Authorization.ts"
import { type Caller } from "../access/Caller.ts"
import { groupById, groupBySlug, type GroupId, groupNamed, type GroupWithPermissions } from "../access/Group.ts"
import { type FieldProblem, fieldProblem, problem } from "../input/FieldProblem.ts"
import { valueAt } from "../input/valueAt.ts"
import { type UserDetail } from "./UserDetail.ts"

/**
 * `group_id` must be the id or the slug of a group. Otherwise it is reported as NOT_FOUND.
 * @rule USER-01
 */
export const parseGroup = (body: unknown): Result.Result<GroupWithPermissions | undefined, FieldProblem> => {
  const raw = valueAt(body, ["group_id"])
  if (typeof raw !== "string") return Result.succeed(undefined)
  const group = groupNamed(raw)
  return group === undefined ? Result.fail(fieldProblem("group_id", problem("NOT_FOUND"))) : Result.succeed(group)
}

/**
 * A caller cannot assign a group that has a permission the caller lacks, nor edit or delete a user in such a group.
 * @rule USER-02
 */
export const judgeGrant = (
  { caller }: Allowed<AuthorizedAction>,
  group_id: GroupId
): Result.Result<void, PermissionDenied> =>
  holdsAll(caller, groupById(group_id)?.permissions ?? []) ? Result.void : Result.fail(new PermissionDenied())

/**
 * Only a group above may set the password of another user. An administrator may also set it for an administrator of a
 * partner below its own, because no group is above this one.
 * @rule USER-09
 */
export const judgeReset = (
  caller: Pick<Caller, "group" | "partner_id">,
  user: Pick<UserDetail, "group" | "partner_id">
): Result.Result<void, PermissionDenied> => {
  const isAbove = caller.group === user.group.slug
    ? caller.group === "admin" && caller.partner_id !== user.partner_id
    : groupBySlug(user.group.slug).permissions.every((one) => groupBySlug(caller.group).permissions.includes(one))
  return isAbove ? Result.void : Result.fail(new PermissionDenied())
}

/**
 * Checks whether the caller is allowed to assign the group whose id is in the field `group_id` of an untrusted body.
 * Runs before the body is parsed. Succeeds if `group_id` is absent or invalid, because the parser of the body decides
 * whether that is an error.
 */
export const judgeNamedGrant = (
  allowed: Allowed<AuthorizedAction>,
  body: unknown
): Result.Result<void, PermissionDenied> => {
  const group = Result.getOrUndefined(parseGroup(body))
  return group === undefined ? Result.void : judgeGrant(allowed, group.group_id)
}
