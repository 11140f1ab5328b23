import { Data, Option, Result, Schema } from "effect"
import { passwordClientId } from "../identity/ApiClient.ts"
import { type Caller } from "../identity/Caller.ts"
import { groupById } from "../identity/Group.ts"
import { formatScope, type Permission, readScope } from "../identity/Permission.ts"
import { type Principal } from "../identity/Principal.ts"

/** Seconds an access token lives. */
export const accessTokenSeconds = 900

/**
 * What an access token says (RFC 9068), beside the registered claims that the signer adds (`iss`, `aud`, `iat`, `exp`,
 * `jti`). `credentials_version` ties it to the password or secret it was issued for.
 */
export const AccessClaims = Schema.Struct({
  sub: Schema.String,
  client_id: Schema.String,
  group: Schema.String,
  scope: Schema.String,
  partner_snapshot_uuid: Schema.String,
  credentials_version: Schema.Int
})
export type AccessClaims = typeof AccessClaims.Type

/** The bearer has no token, a broken one, or one that no longer holds. The reason is for logs, never for the bearer. */
export class Unauthenticated extends Data.TaggedError("Unauthenticated")<{
  readonly reason: "missing" | "malformed" | "signature" | "expired" | "claims" | "unknown" | "inactive" | "stale"
}> {}

/** The claims of a token for this principal. */
export const claimsOf = (
  principal: Principal,
  group: string,
  scope: ReadonlySet<Permission>
): AccessClaims => ({
  sub: principal.subject,
  client_id: principal.kind === "user" ? passwordClientId : principal.subject,
  group,
  scope: formatScope(scope),
  partner_snapshot_uuid: principal.partner_id,
  credentials_version: principal.credentials_version
})

/** Whose live record a token's claims have to be judged against. */
export const subjectOf = (claims: AccessClaims): { readonly kind: "user" | "client"; readonly subject: string } => ({
  kind: claims.client_id === passwordClientId ? "user" : "client",
  subject: claims.sub
})

/** The caller that a live record makes of its principal, with all that its group allows. */
const callerOf = (live: Principal): Result.Result<Caller, Unauthenticated> => {
  const group = groupById(live.group_id)
  return group === undefined || !live.active || !live.partners_active
    ? Result.fail(new Unauthenticated({ reason: "inactive" }))
    : Result.succeed({
      subject: live.subject,
      kind: live.kind,
      partner_id: live.partner_id,
      root_id: live.root_id,
      group: group.slug,
      permissions: new Set(group.permissions),
      must_change_password: live.must_change_password
    })
}

const nobody = Result.fail(new Unauthenticated({ reason: "unknown" }))

/**
 * Who was authenticated without a token is the caller that its live record makes it: it exists, it and every partner above it are
 * active, and its permissions are all those of its group.
 * @rule AUTH-13
 */
export const judgePrincipal = (principal: Option.Option<Principal>): Result.Result<Caller, Unauthenticated> =>
  Option.isNone(principal) ? nobody : callerOf(principal.value)

/**
 * A token is worth what its principal is worth now: the principal is the caller that its live record makes it, it still belongs to
 * the partner that the token names, and its password has not changed since. Permissions are those of the live group, narrowed by
 * the token's scope.
 * @rule AUTH-07
 */
export const judgeClaims = (
  claims: AccessClaims,
  principal: Option.Option<Principal>
): Result.Result<Caller, Unauthenticated> => {
  if (Option.isNone(principal)) return nobody
  const live = principal.value
  return Result.flatMap(callerOf(live), (caller) => {
    if (
      claims.partner_snapshot_uuid !== live.partner_id || claims.credentials_version !== live.credentials_version
    ) {
      return Result.fail(new Unauthenticated({ reason: "stale" }))
    }
    const scope = readScope(claims.scope)
    const permissions = new Set(Array.from(caller.permissions).filter((permission) => scope.has(permission)))
    return Result.succeed({ ...caller, permissions })
  })
}
