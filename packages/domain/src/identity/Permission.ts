import { Data, Result, Schema } from "effect"

/** What a group may allow. A token's scope is a list of these and may only narrow what the group allows. */
export const Permission = Schema.Literals([
  "partners:read",
  "partners:write",
  "users:read",
  "users:write",
  "proposals:read",
  "fgts:read",
  "fgts:write",
  "kyc:read"
])
export type Permission = typeof Permission.Type

/** Every permission there is, in the order in which scopes are written. */
export const permissions: ReadonlyArray<Permission> = Permission.literals

/** Writes permissions as an OAuth 2 scope: space-separated, in the fixed order (RFC 6749 §3.3). */
export const formatScope = (granted: ReadonlySet<Permission>): string =>
  permissions.filter((permission) => granted.has(permission)).join(" ")

/** Reads a scope's known permissions; names that are not permissions are left out. */
export const readScope = (scope: string): ReadonlySet<Permission> => {
  const named = new Set(scope.split(" "))
  return new Set(permissions.filter((permission) => named.has(permission)))
}

/** The scope asked for names something unknown or more than the group allows. */
export class ScopeExceeded extends Data.TaggedError("ScopeExceeded") {}

/**
 * A requested scope may only narrow what the group allows; asking for nothing means all of it, asking for an unknown
 * permission or one beyond the group is refused.
 * @rule AUTH-01
 */
export const narrowScope = (
  held: ReadonlySet<Permission>,
  requested: string | undefined
): Result.Result<ReadonlySet<Permission>, ScopeExceeded> => {
  const names = (requested ?? "").split(" ").filter((name) => name !== "")
  if (names.length === 0) return Result.succeed(held)
  const asked = readScope(names.join(" "))
  return names.every((name) => permissions.some((known) => known === name)) && [...asked].every((one) => held.has(one))
    ? Result.succeed(asked)
    : Result.fail(new ScopeExceeded())
}
