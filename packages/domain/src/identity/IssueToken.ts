import { Effect, Option, Redacted, Result } from "effect"
import { type GroupWithPermissions } from "../access/Group.ts"
import { formatScope, narrowScope, parseScope, type Permission } from "../access/Permission.ts"
import { IdGenerator } from "../ports/generators.ts"
import { currentTimestamp } from "../values/Timestamp.ts"
import { accessTokenSeconds, activeGroup, claimsOf } from "./AccessClaims.ts"
import { ApiClientRepository } from "./ApiClient.ts"
import { type ClientSecretHash, needsFastHash, readClientSecret, storeClientSecret } from "./ClientSecret.ts"
import { passwordForms } from "./Password.ts"
import { PasswordHasher } from "./PasswordHasher.ts"
import { type Principal, PrincipalRepository } from "./Principal.ts"
import { type ClientCredentials, parseTokenRequest, type TokenGrant } from "./readTokenRequest.ts"
import { validSecrets } from "./secretOverlap.ts"
import { exchangeRefreshToken, startSession } from "./Session.ts"
import { countSignIn } from "./signInMetrics.ts"
import { TokenRefused, type TokenResponse } from "./TokenRequest.ts"
import { TokenSigner } from "./TokenSigner.ts"
import { clientAttempts, findVerified, userAttempts, verifySecret } from "./verifySecret.ts"

const invalidClient = new TokenRefused({
  error: "invalid_client",
  description: "The client is unknown or its secret is wrong."
})
const invalidGrant = new TokenRefused({ error: "invalid_grant", description: "The username or the password is wrong." })
const invalidRefresh = new TokenRefused({
  error: "invalid_grant",
  description: "The refresh token is no longer valid."
})
const invalidScope = new TokenRefused({
  error: "invalid_scope",
  description: "The scope exceeds the permissions of the group."
})

/**
 * Issues tokens for an untrusted token request (RFC 6749). Client credentials in a request with the grant type
 * `password` or `refresh_token` are verified first (§4.3.2, §6).
 */
export const issueToken = Effect.fnUntraced(function*(body: unknown) {
  const parsed = parseTokenRequest(body)
  const type = Result.isSuccess(parsed) ? parsed.success.type : "unknown"
  return yield* countSignIn(type, Effect.flatMap(Effect.fromResult(parsed), issueFor))
})

const issueFor = Effect.fnUntraced(function*(grant: TokenGrant) {
  if (grant.type === "client_credentials") return yield* issueToClient(grant)
  if (grant.client !== undefined) yield* authenticateClient(grant.client)
  return yield* grant.type === "password" ? issueToUser(grant) : issueToSession(grant)
})

type GrantOf<T extends TokenGrant["type"]> = Extract<TokenGrant, { readonly type: T }>

/** Verifies client credentials, and returns the client and its group. Fails with `invalid_client`. */
export const authenticateClient = Effect.fnUntraced(function*({ client_id, client_secret }: ClientCredentials) {
  const credentials = yield* (yield* PrincipalRepository).findByClientId(client_id)
  const at = yield* currentTimestamp
  const secrets = Option.match(credentials, { onNone: () => [], onSome: (known) => validSecrets(known, at) })
  const hashes = secrets.map(({ hash }) => Option.some(readClientSecret(hash).hash))
  // An unknown client has no hash. This call then takes as long as that for a wrong secret.
  const tried = hashes.length === 0 ? [Option.none()] : hashes
  const index = yield* findVerified(clientAttempts(client_id), [client_secret], tried)
  const used = Option.isNone(index) ? undefined : secrets[index.value]
  if (used === undefined || Option.isNone(credentials)) return yield* invalidClient
  // A token is valid only as long as the secret with which it was issued.
  const principal: Principal = { ...credentials.value.principal, credentials_version: used.credentials_version }
  const group = activeGroup(principal)
  if (Option.isNone(group)) return yield* invalidClient
  const stored = readClientSecret(used.hash)
  const isCurrent = used === secrets[0]
  if (isCurrent && needsFastHash(stored, client_secret)) {
    yield* storeFastHash(client_id, stored, client_secret)
  }
  return { principal, group: group.value }
})

/** Replaces the slow hash of a verified secret. The secret and its tokens stay the same. */
const storeFastHash = Effect.fnUntraced(function*(
  client_id: string,
  verified: ClientSecretHash,
  secret: Redacted.Redacted
) {
  const hash = yield* (yield* PasswordHasher).hashGenerated(secret)
  const stored = storeClientSecret({ origin: "generated", hash })
  yield* (yield* ApiClientRepository).replaceHash(client_id, storeClientSecret(verified), stored)
})

const issueToClient = Effect.fnUntraced(function*({ client, scope }: GrantOf<"client_credentials">) {
  const { group, principal } = yield* authenticateClient(client)
  return yield* respond(principal, group, yield* grantedScope(group, scope))
})

const issueToUser = Effect.fnUntraced(function*({ password, scope, username }: GrantOf<"password">) {
  const credentials = yield* (yield* PrincipalRepository).findByEmail(username)
  const hash = Option.map(credentials, ({ hash }) => hash)
  const isVerified = yield* verifySecret(userAttempts(username), passwordForms(password), hash)
  if (!isVerified || Option.isNone(credentials)) return yield* invalidGrant
  const started = yield* startSession(credentials.value.principal, (principal) =>
    Effect.gen(function*() {
      const group = activeGroup(principal)
      if (Option.isNone(group)) return yield* invalidGrant
      return { principal, group: group.value, scope: yield* grantedScope(group.value, scope) }
    }))
  if (Option.isNone(started)) return yield* invalidGrant
  const { granted, ...session } = started.value
  return yield* respond(granted.principal, granted.group, granted.scope, session)
})

const issueToSession = Effect.fnUntraced(function*({ client, refresh_token, scope }: GrantOf<"refresh_token">) {
  const exchanged = yield* exchangeRefreshToken(
    refresh_token,
    client?.client_id ?? null,
    (principal, sessionScope) =>
      Effect.gen(function*() {
        const group = activeGroup(principal)
        if (Option.isNone(group)) return yield* invalidRefresh
        const held = parseScope(sessionScope)
        const permissions = group.value.permissions.filter((permission) => held.has(permission))
        return { principal, group: group.value, scope: yield* grantedScope({ permissions }, scope) }
      })
  )
  if (Option.isNone(exchanged)) return yield* invalidRefresh
  const { granted, ...session } = exchanged.value
  return yield* respond(granted.principal, granted.group, granted.scope, session)
})

const grantedScope = ({ permissions }: Pick<GroupWithPermissions, "permissions">, requested: string | undefined) =>
  Effect.fromResult(Result.mapError(narrowScope(new Set(permissions), requested), () => invalidScope))

const respond = Effect.fnUntraced(function*(
  principal: Principal,
  group: GroupWithPermissions,
  scope: ReadonlySet<Permission>,
  started?: { readonly token: Redacted.Redacted; readonly session: string }
) {
  // Each token of an API client has a session of its own, so that it can be revoked.
  const session = started?.session ?? (yield* (yield* IdGenerator).next)
  const response: TokenResponse = {
    access_token: yield* (yield* TokenSigner).sign(claimsOf(principal, group.slug, scope, session)),
    token_type: "Bearer",
    expires_in: accessTokenSeconds,
    scope: formatScope(scope),
    ...(started === undefined ? {} : { refresh_token: Redacted.value(started.token) })
  }
  return response
})
