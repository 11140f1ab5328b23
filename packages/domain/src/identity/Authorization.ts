import { Data, Result } from "effect"
import { type UserId } from "../id/ids.ts"
import { type Caller, isSelf } from "./Caller.ts"
import { type Permission } from "./Permission.ts"

/** A caller can delete neither itself nor its own partner. */
export class SelfDelete extends Data.TaggedError("SelfDelete") {}

/** The caller's group, narrowed by the token's scope, does not allow this. */
export class PermissionDenied extends Data.TaggedError("PermissionDenied") {}

/** The caller signed in with a temporary password and has to choose its own first. */
export class PasswordChangeRequired extends Data.TaggedError("PasswordChangeRequired") {}

/** What a check allows: a permission over everything in the caller's subtree, or one narrow right. */
export type AuthorizedAction = Permission | "groups:read" | "user:read" | "user:patch"

const allowedBy: unique symbol = Symbol("@lastro/domain/hierarchy/Allowed")

/**
 * Proof that the caller was found to be allowed `A`. Only the checks of this file make one, and every use case demands
 * the one it needs, so that a use case called without its check does not compile.
 */
export interface Allowed<out A extends AuthorizedAction> {
  readonly [allowedBy]: A
  readonly caller: Caller
}

type Refusal = PermissionDenied | PasswordChangeRequired

const allow = <A extends AuthorizedAction>(caller: Caller, action: A): Allowed<A> => ({ [allowedBy]: action, caller })

/**
 * Nothing is allowed while a password change is due; afterwards exactly what the caller's permissions name.
 * @rule AUTH-02
 */
export const authorize = <P extends Permission>(caller: Caller, permission: P): Result.Result<Allowed<P>, Refusal> =>
  caller.must_change_password
    ? Result.fail(new PasswordChangeRequired())
    : caller.permissions.has(permission)
    ? Result.succeed(allow(caller, permission))
    : Result.fail(new PermissionDenied())

/** Any caller that is past its password change may list the groups. */
export const authorizeGroups = (caller: Caller): Result.Result<Allowed<"groups:read">, Refusal> =>
  caller.must_change_password
    ? Result.fail(new PasswordChangeRequired())
    : Result.succeed(allow(caller, "groups:read"))

/**
 * Every user, whatever its group, may read itself; others need `users:read`.
 * @rule AUTH-03
 */
export const authorizeUserRead = (caller: Caller, user: UserId): Result.Result<Allowed<"user:read">, Refusal> =>
  isSelf(caller, user) && !caller.must_change_password
    ? Result.succeed(allow(caller, "user:read"))
    : Result.map(authorize(caller, "users:read"), () => allow(caller, "user:read"))

/**
 * Every user, whatever its group and even while a password change is due, may patch itself (its password, and nothing
 * else without `users:write`); others need `users:write`.
 * @rule AUTH-04
 */
export const authorizeUserPatch = (caller: Caller, user: UserId): Result.Result<Allowed<"user:patch">, Refusal> =>
  isSelf(caller, user)
    ? Result.succeed(allow(caller, "user:patch"))
    : Result.map(authorize(caller, "users:write"), () => allow(caller, "user:patch"))

/**
 * Nobody grants, edits or deletes what holds a permission they lack themselves.
 * @rule AUTH-05
 */
export const holdsAll = (caller: Caller, held: Iterable<Permission>): boolean =>
  Array.from(held).every((permission) => caller.permissions.has(permission))
