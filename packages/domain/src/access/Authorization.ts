import { Result } from "effect"
import { Refusal } from "../input/Refusal.ts"
import { type UserId } from "../values/ids.ts"
import { Caller, checkCaller, isSelf } from "./Caller.ts"
import { type Permission } from "./Permission.ts"

/** The caller tried to delete itself or its own partner. */
export class SelfDelete extends Refusal("SelfDelete", "You cannot delete yourself or your own partner.") {}

/** The caller cannot make this change to its own partner. The operator, or a caller of a partner above it, can. */
export class OwnPartner extends Refusal(
  "OwnPartner",
  "You cannot change this of your own partner. A partner above it, or the operator, can."
) {}

/** The caller lacks the required permission: its group does not have it, or the scope of the token excludes it. */
export class PermissionDenied
  extends Refusal("PermissionDenied", "The caller does not have permission for this operation.")
{}

/** The caller signed in with a temporary password and must set a new one first. */
export class PasswordChangeRequired
  extends Refusal("PasswordChangeRequired", "The caller has a temporary password. Change it first.")
{}

/**
 * An action that a check can authorize. A permission authorizes its action on all records in the caller's subtree. The
 * other actions have a check of their own: `authorizeGroups`, `authorizeScope` and so on.
 */
export type AuthorizedAction =
  | Permission
  | "groups:read"
  | "scope:read"
  | "self:read"
  | "statements:write"
  | "troubles:read"
  | "user:read"
  | "user:patch"

const allowedBy: unique symbol = Symbol("@lastro/domain/access/Allowed")

/**
 * Proof that the caller is authorized for `A`. Only the checks in this file create one. Every use case takes one as an
 * argument, so a call without a check does not compile.
 */
export interface Allowed<out A extends AuthorizedAction> {
  readonly [allowedBy]: A
  readonly caller: Caller
}

/** The authorization errors that every operation can fail with. */
export type Unpermitted = PasswordChangeRequired | PermissionDenied

const allow = <A extends AuthorizedAction>(caller: Caller, action: A): Allowed<A> => ({
  [allowedBy]: action,
  caller: checkCaller(caller)
})

/** Allows an action to every caller, except while a password change is due. */
const allowEveryone = <A extends AuthorizedAction>(
  caller: Caller,
  action: A
): Result.Result<Allowed<A>, PasswordChangeRequired> =>
  checkCaller(caller).must_change_password
    ? Result.fail(new PasswordChangeRequired())
    : Result.succeed(allow(caller, action))

/**
 * A caller can perform exactly the actions that its permissions allow. While a password change is due, it can perform
 * none of them.
 * @rule AUTH-02
 */
export const authorize = <P extends Permission>(
  caller: Caller,
  permission: P
): Result.Result<Allowed<P>, Unpermitted> => {
  if (checkCaller(caller).must_change_password) return Result.fail(new PasswordChangeRequired())
  return Caller.has(caller, permission)
    ? Result.succeed(allow(caller, permission))
    : Result.fail(new PermissionDenied())
}

/** Every caller can list the groups, except while a password change is due. */
export const authorizeGroups = (caller: Caller): Result.Result<Allowed<"groups:read">, Unpermitted> =>
  allowEveryone(caller, "groups:read")

/**
 * Every caller can read which partners are in its subtree, except while a password change is due.
 * @rule HIER-06
 */
export const authorizeScope = (caller: Caller): Result.Result<Allowed<"scope:read">, PasswordChangeRequired> =>
  allowEveryone(caller, "scope:read")

/**
 * Every caller can read its own record, except while a password change is due.
 * @rule AUTH-31
 */
export const authorizeSelf = (caller: Caller): Result.Result<Allowed<"self:read">, PasswordChangeRequired> =>
  allowEveryone(caller, "self:read")

/**
 * Only callers of a root can compare a lender's statement, and they need `commissions:write`. A statement shows what
 * the lender pays to the root.
 * @rule AUTH-32
 */
export const authorizeStatement = (caller: Caller): Result.Result<Allowed<"statements:write">, Unpermitted> =>
  Result.flatMap(authorize(caller, "commissions:write"), () =>
    caller.partner_id === caller.root_id
      ? Result.succeed(allow(caller, "statements:write"))
      : Result.fail(new PermissionDenied()))

/**
 * Only administrators of a root partner see the failing jobs and the unavailable lenders of their own tree. Only
 * administrators have `audit:read`.
 * @rule AUTH-33
 */
export const authorizeTroubles = (caller: Caller): Result.Result<Allowed<"troubles:read">, Unpermitted> =>
  Result.flatMap(authorize(caller, "audit:read"), () =>
    caller.partner_id === caller.root_id
      ? Result.succeed(allow(caller, "troubles:read"))
      : Result.fail(new PermissionDenied()))

/**
 * A user in any group can read its own record, except while a password change is due. Reading another user requires
 * `users:read`.
 * @rule AUTH-03
 */
export const authorizeUserRead = (caller: Caller, user: UserId): Result.Result<Allowed<"user:read">, Unpermitted> =>
  isSelf(caller, user) && !caller.must_change_password
    ? Result.succeed(allow(caller, "user:read"))
    : Result.map(authorize(caller, "users:read"), () => allow(caller, "user:read"))

/**
 * A user in any group can patch its own record, even while a password change is due. Without `users:write`, it can
 * change only its password. Patching another user requires `users:write`.
 * @rule AUTH-04
 */
export const authorizeUserPatch = (caller: Caller, user: UserId): Result.Result<Allowed<"user:patch">, Unpermitted> =>
  isSelf(caller, user)
    ? Result.succeed(allow(caller, "user:patch"))
    : Result.map(authorize(caller, "users:write"), () => allow(caller, "user:patch"))

/**
 * A caller cannot assign a group that has a permission which the caller lacks. It cannot edit or delete the users and
 * API clients of that group either.
 *
 * Returns whether the caller has all of these permissions, for example to decide what a page offers.
 * @rule AUTH-05
 */
export const holdsAll = (caller: Caller, permissions: Iterable<Permission>): boolean =>
  Array.from(permissions).every((permission) => Caller.has(caller, permission))
