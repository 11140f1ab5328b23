import { Effect, Option, Redacted, Result } from "effect"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { addMillis, currentTimestamp } from "../values/Timestamp.ts"
import { type AccessClaims, accessTokenSeconds, judgeSubject, type PrincipalKey } from "./AccessClaims.ts"
import { ApiClientRepository } from "./ApiClient.ts"
import { authenticateClient } from "./IssueToken.ts"
import { PrincipalRepository } from "./Principal.ts"
import { parseRevocation } from "./readTokenRequest.ts"
import { RefreshTokenRepository } from "./RefreshToken.ts"
import { auditSession, endSession } from "./Session.ts"
import { clockSkewSeconds } from "./SigningKey.ts"
import { refuseToken, type TokenRefused } from "./TokenRequest.ts"
import { TokenSigner } from "./TokenSigner.ts"

/**
 * Revoking an access token ends its session, with every token of the session. Each token of an API client has a session
 * of its own. Only this client can revoke it, with its credentials (RFC 7009 §2.1). A token of an earlier version has
 * no session and cannot be revoked. `client` is the API client that authenticated itself, or null. Returns the session.
 * @rule AUTH-21
 */
export const judgeRevocation = (
  { sid }: Pick<AccessClaims, "sid">,
  { kind, subject }: PrincipalKey,
  client: string | null
): Result.Result<string, TokenRefused> => {
  if (kind === "client" && client === null) {
    return refuseToken("invalid_client", "The token was issued to an API client. Send the credentials of this client.")
  }
  if (kind === "client" && client !== subject) {
    return refuseToken("invalid_grant", "The token was issued to another client.")
  }
  return sid === undefined
    ? refuseToken("unsupported_token_type", "This access token has no session. Send the refresh token.")
    : Result.succeed(sid)
}

/** Ends the session of an access token. Does nothing if it has already ended, or if the principal does not exist. */
const endAccess = Effect.fnUntraced(function*(claims: AccessClaims, client: string | null) {
  const key = judgeSubject(claims)
  if (Result.isFailure(key)) return
  const { kind, subject } = key.success
  const session = yield* Effect.fromResult(judgeRevocation(claims, key.success, client))
  const principal = yield* (yield* PrincipalRepository).find(kind, subject, session)
  if (Option.isNone(principal) || principal.value.session_ended === true) return
  const at = yield* currentTimestamp
  if (kind === "user") yield* (yield* RefreshTokenRepository).revokeFamily(session, at)
  else {
    const forgotten = addMillis(at, (accessTokenSeconds + 2 * clockSkewSeconds) * 1000)
    yield* (yield* ApiClientRepository).endSession(session, at, forgotten)
  }
  yield* auditSession("session.revoke", principal.value, session, at)
})

/**
 * Revokes a refresh token or an access token, with every token of its session, for an untrusted request (RFC 7009). An
 * unknown, expired or revoked token is not an error (§2.2). Client credentials in the request are verified first.
 */
export const revokeToken = Effect.fnUntraced(function*(body: unknown) {
  const { client, token } = yield* Effect.fromResult(parseRevocation(body))
  const authenticated = client === undefined ? null : (yield* authenticateClient(client)).principal.subject
  const tokens = yield* RefreshTokenRepository
  const revoke = Effect.gen(function*() {
    const record = yield* tokens.findForUpdate(token)
    if (Option.isSome(record)) {
      return yield* endSession(record.value, "session.revoke", yield* currentTimestamp)
    }
    const claims = yield* Effect.option((yield* TokenSigner).verify(Redacted.value(token)))
    if (Option.isSome(claims)) yield* endAccess(claims.value, authenticated)
  })
  yield* (yield* UnitOfWork).atomically(revoke)
})
