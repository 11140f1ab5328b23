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
 * A caller can assign a group only if the caller has all of its permissions. The same holds for changing and deleting
 * the users and API clients of a group.
 * @rule USER-02
 */
export const judgeGrant = (
  { caller }: Allowed<AuthorizedAction>,
  group_id: GroupId
): Result.Result<void, PermissionDenied> =>
  holdsAll(caller, groupById(group_id)?.permissions ?? []) ? Result.void : Result.fail(new PermissionDenied())

/** Returns whether a patch changes a field of a record. For ids, letter case is ignored. */
const isChanged = (body: unknown, field: string, stored: string): boolean => {
  const sent = valueAt(body, [field])
  return sent !== undefined && (typeof sent !== "string" || sent.toLowerCase() !== stored.toLowerCase())
}

/**
 * Returns whether a patch changes the group of a user. It can name the group by id or slug. An invalid value counts as a
 * change.
 */
const isGroupChanged = (body: unknown, stored: GroupId): boolean => {
  if (valueAt(body, ["group_id"]) === undefined) return false
  const group = Result.getOrUndefined(parseGroup(body))
  return group?.group_id !== stored
}

/**
 * Only a caller above a user can set its password, change its e-mail address, group or partner, or activate it again. A
 * caller is above a user if the caller's group has more permissions. An administrator is also above the administrators
 * of partners below its own. Administrators of one partner can activate each other. Users themselves are exempt.
 * @rule USER-09
 */
export const judgeAuthority = (
  caller: Pick<Caller, "group" | "partner_id">,
  user: Pick<UserDetail, "email" | "group" | "partner_id" | "status">,
  body: unknown
): Result.Result<void, PermissionDenied> => {
  const isActivated = user.status === "INACTIVE" && isChanged(body, "status", user.status)
  const needsAuthority = valueAt(body, ["password"]) !== undefined ||
    isChanged(body, "email", user.email) ||
    isGroupChanged(body, user.group.group_id) ||
    isChanged(body, "partner_id", user.partner_id) ||
    (isActivated && caller.group !== "admin")
  return !needsAuthority || isAbove(caller, user) ? Result.void : Result.fail(new PermissionDenied())
}

/** Returns whether a caller is above a user ({@link judgeAuthority}). */
const isAbove = (
  caller: Pick<Caller, "group" | "partner_id">,
  user: Pick<UserDetail, "group" | "partner_id">
): boolean => {
  if (caller.group === user.group.slug) return caller.group === "admin" && caller.partner_id !== user.partner_id
  const own = groupBySlug(caller.group).permissions
  return groupBySlug(user.group.slug).permissions.every((permission) => own.includes(permission))
}

/** Returns whether a caller can deactivate an active user, or activate an inactive one (USER-02, USER-09). */
export const canChangeStatus = (
  allowed: Allowed<"users:write">,
  user: Pick<UserDetail, "email" | "group" | "partner_id" | "status">
): boolean =>
  Result.isSuccess(judgeGrant(allowed, user.group.group_id)) &&
  Result.isSuccess(judgeAuthority(allowed.caller, user, { status: user.status === "ACTIVE" ? "INACTIVE" : "ACTIVE" }))

/**
 * Checks that the caller can assign the group in the field `group_id` of an untrusted body. Call it before the body is
 * parsed. An absent or invalid `group_id` succeeds, because the parser of the body judges it.
 */
export const judgeNamedGrant = (
  allowed: Allowed<AuthorizedAction>,
  body: unknown
): Result.Result<void, PermissionDenied> => {
  const group = Result.getOrUndefined(parseGroup(body))
  return group === undefined ? Result.void : judgeGrant(allowed, group.group_id)
}
