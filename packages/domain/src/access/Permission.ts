import { Result, Schema } from "effect"
import { Refusal } from "../input/Refusal.ts"

/** A permission of a group. The scope of a token is a list of permissions. It can only narrow the permissions. */
export const Permission = Schema.Literals([
  "partners:read",
  "partners:write",
  "users:read",
  "users:write",
  "proposals:read",
  "fgts:read",
  "fgts:write",
  "kyc:read",
  "audit:read",
  "events:read",
  "webhooks:write",
  "clients:write",
  "commissions:read",
  "commissions:write"
])
export type Permission = typeof Permission.Type

/** All permissions, in the order in which they appear in a scope. */
export const permissions: ReadonlyArray<Permission> = Permission.literals

/** Formats permissions as an OAuth 2 scope: space-separated, in a fixed order (RFC 6749 §3.3). */
export const formatScope = (granted: ReadonlySet<Permission>): string =>
  permissions.filter((permission) => granted.has(permission)).join(" ")

/** Parses the permissions of a scope. Unknown names are ignored. */
export const parseScope = (scope: string): ReadonlySet<Permission> => {
  const named = new Set(scope.split(" "))
  return new Set(permissions.filter((permission) => named.has(permission)))
}

/** The requested scope contains a permission that is unknown or that the caller's user group does not have. */
export class ScopeExceeded extends Refusal(
  "ScopeExceeded",
  "The scope contains a permission that is unknown or that the group lacks. Request only permissions of the group."
) {}

/**
 * A requested scope can only narrow the permissions of the group. Default: all permissions of the group. A scope with a
 * permission that is unknown or that the group lacks is refused.
 * @rule AUTH-01
 */
export const narrowScope = (
  held: ReadonlySet<Permission>,
  requested: string = ""
): Result.Result<ReadonlySet<Permission>, ScopeExceeded> => {
  const names = requested.split(" ").filter((name) => name !== "")
  if (names.length === 0) return Result.succeed(held)
  const heldNames: ReadonlySet<string> = held
  return names.every((name) => heldNames.has(name))
    ? Result.succeed(parseScope(requested))
    : Result.fail(new ScopeExceeded())
}
