import { Option, Result, Schema } from "effect"
import { type Caller, createCaller } from "../access/Caller.ts"
import { groupById, type GroupWithPermissions } from "../access/Group.ts"
import { formatScope, parseScope, type Permission } from "../access/Permission.ts"
import { Refusal } from "../input/Refusal.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { parseUuid } from "../values/Uuid.ts"
import { judgeClientId, passwordClientId } from "./ApiClient.ts"
import { type Principal } from "./Principal.ts"
import { isCredentialsVersionValid } from "./secretOverlap.ts"

/** Lifetime of an access token, in seconds. */
export const accessTokenSeconds = 900

/**
 * A token whose lifetime is longer than Lastro's own is refused. Lastro did not issue it, even if its signature is
 * valid.
 * @rule AUTH-28
 */
export const isIssuedLifetime = ({ exp, iat }: { readonly exp: number; readonly iat: number }): boolean =>
  exp - iat <= accessTokenSeconds

/**
 * The claims of an access token (RFC 9068), without those that the signer adds (`iss`, `aud`, `iat`, `exp`, `jti`).
 * `credentials_version` binds the token to the password or secret with which it was issued, and `sid` to its session.
 * Each token of an API client has a session of its own.
 */
export const AccessClaims = Schema.Struct({
  sub: Schema.String,
  client_id: Schema.String,
  group: Schema.String,
  scope: Schema.String,
  partner_snapshot_uuid: Schema.String,
  credentials_version: Schema.Int,
  sid: Schema.optionalKey(Schema.String)
})
export type AccessClaims = typeof AccessClaims.Type

/** The token is missing, malformed or no longer valid. The reason is only for logs and is not in the message. */
export class Unauthenticated extends Refusal("Unauthenticated", "The caller cannot be authenticated.")<{
  readonly reason: "missing" | "malformed" | "signature" | "expired" | "claims" | "unknown" | "inactive" | "stale"
}> {}

/** Returns the claims of a new token for a principal. */
export const claimsOf = (
  principal: Principal,
  group: string,
  scope: ReadonlySet<Permission>,
  session?: string
): AccessClaims => ({
  sub: principal.subject,
  client_id: principal.kind === "user" ? passwordClientId : principal.subject,
  group,
  scope: formatScope(scope),
  partner_snapshot_uuid: principal.partner_id,
  credentials_version: principal.credentials_version,
  ...(session === undefined ? {} : { sid: session })
})

/** The kind and the id of a principal. */
export interface PrincipalKey {
  readonly kind: "user" | "client"
  readonly subject: string
}

/**
 * A token with the `client_id` `lastro` identifies the user whose id is its `sub`. In any other token, `client_id` and
 * `sub` are both the id of the API client. A token with any other `sub` is refused.
 * @rule AUTH-19
 */
export const judgeSubject = ({ client_id, sub }: AccessClaims): Result.Result<PrincipalKey, Unauthenticated> => {
  const key: PrincipalKey = { kind: client_id === passwordClientId ? "user" : "client", subject: sub }
  const isWellFormed = key.kind === "user"
    ? Result.isSuccess(parseUuid(sub))
    : client_id === sub && Result.isSuccess(judgeClientId(sub))
  return isWellFormed ? Result.succeed(key) : Result.fail(new Unauthenticated({ reason: "claims" }))
}

/**
 * A token is issued only to an active principal. Its partner and all ancestors of the partner must be active, too.
 * Returns the group of the principal, or none if it gets no token.
 * @rule AUTH-10
 */
export const activeGroup = (principal: Principal): Option.Option<GroupWithPermissions> =>
  principal.active && principal.partners_active
    ? Option.fromUndefinedOr(groupById(principal.group_id))
    : Option.none()

/** Builds the caller from a stored principal. The scope narrows the permissions of its group. */
const callerOf = (principal: Principal, scope?: ReadonlySet<Permission>): Result.Result<Caller, Unauthenticated> => {
  const group = activeGroup(principal)
  if (Option.isNone(group)) return Result.fail(new Unauthenticated({ reason: "inactive" }))
  const { permissions, slug } = group.value
  return Result.succeed(createCaller({
    subject: principal.subject,
    kind: principal.kind,
    partner_id: principal.partner_id,
    root_id: principal.root_id,
    group: slug,
    permissions: new Set(permissions.filter((permission) => scope === undefined || scope.has(permission))),
    must_change_password: principal.must_change_password
  }))
}

const unknownPrincipal = Result.fail(new Unauthenticated({ reason: "unknown" }))

/**
 * A host application can authenticate a principal without a token. The principal must exist and be active, and so must
 * its partner and all ancestors of the partner. The caller has all permissions of its group.
 * @rule AUTH-13
 */
export const judgePrincipal = (principal: Option.Option<Principal>): Result.Result<Caller, Unauthenticated> =>
  Option.isNone(principal) ? unknownPrincipal : callerOf(principal.value)

/**
 * A token is checked against the stored principal at every request.
 *
 * - The principal, its partner and all ancestors of the partner must be active.
 * - The principal must belong to the partner in the token.
 * - Its password or secret must be unchanged since the token was issued, or the previous secret must still be valid at
 *   `at` (CLIENT-05).
 * - The session must not have ended (USER-07, AUTH-21).
 *
 * The caller has the permissions of the principal's current group, narrowed by the scope of the token.
 * @rule AUTH-07
 */
export const judgeClaims = (
  claims: AccessClaims,
  principal: Option.Option<Principal>,
  at: Timestamp | null = null
): Result.Result<Caller, Unauthenticated> => {
  if (Option.isNone(principal)) return unknownPrincipal
  const stored = principal.value
  const isStale = claims.partner_snapshot_uuid !== stored.partner_id || stored.session_ended === true ||
    !isCredentialsVersionValid(claims.credentials_version, stored, at)
  const caller = callerOf(stored, parseScope(claims.scope))
  return Result.isSuccess(caller) && isStale ? Result.fail(new Unauthenticated({ reason: "stale" })) : caller
}
