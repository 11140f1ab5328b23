import { type Effect, type Result } from "effect"
import { issueToken } from "../identity/IssueToken.ts"
import { type PrincipalRepository } from "../identity/Principal.ts"
import { callerOfPrincipal, resolveCaller } from "../identity/resolveCaller.ts"
import { revokeToken } from "../identity/RevokeToken.ts"
import { type TokenRequest, type TokenResponse } from "../identity/TokenRequest.ts"
import { type CallOptions } from "./CallOptions.ts"
import { type Untrusted } from "./OperationFailure.ts"
import { type Run } from "./Run.ts"

/** Creates the functions of {@link PrincipalFunctions}. */
export const principalFunctions = (run: Run<PrincipalRepository>) => ({
  /** Returns the caller for a user that your program has already authenticated. */
  callerOfUser: (user_id: string, options?: CallOptions) => run(() => callerOfPrincipal("user", user_id), options),
  /** Returns the caller for an API client that your program has already authenticated. */
  callerOfClient: (client_id: string, options?: CallOptions) =>
    run(() => callerOfPrincipal("client", client_id), options)
})

/** The functions that return the caller for a user or API client whom the host has already authenticated. */
export interface PrincipalFunctions extends ReturnType<typeof principalFunctions> {}

/** A token to revoke, and the credentials of the API client to which it was issued. */
export interface RevocationRequest {
  readonly token: string
  readonly client_id?: string | undefined
  readonly client_secret?: string | undefined
}

/** The ports that sign-in needs. */
export type PortsOfSignIn = Effect.Services<ReturnType<typeof resolveCaller | typeof issueToken | typeof revokeToken>>

const tokenFunctions = (run: Run<PortsOfSignIn>) => ({
  /** Returns the caller to whom an access token was issued. */
  callerOfToken: (access_token: string, options?: CallOptions) => run(() => resolveCaller(access_token), options),
  /** Issues tokens for an untrusted token request (RFC 6749). */
  issueToken: (
    body: Untrusted<TokenRequest>,
    options?: CallOptions
  ): Promise<Result.Result<TokenResponse, Effect.Error<ReturnType<typeof issueToken>>>> =>
    run(() => issueToken(body), options),
  /**
   * Revokes a refresh token or an access token, with every token of its session. An unknown token is not an error. To
   * revoke an access token of an API client, send the credentials of this client.
   */
  revokeToken: (request: string | RevocationRequest, options?: CallOptions) =>
    run(() => revokeToken(typeof request === "string" ? { token: request } : request), options)
})

/** The functions that issue, check and revoke tokens. */
interface TokenFunctions extends ReturnType<typeof tokenFunctions> {}

/** Creates the functions that authenticate callers. */
export const identityFunctions = (run: Run<PortsOfSignIn>): IdentityFunctions => ({
  ...principalFunctions(run),
  ...tokenFunctions(run)
})

/**
 * The functions that authenticate callers. Pass the returned caller to the functions of the operations. A caller is
 * checked when it is created and not at each use, so create one for each request.
 */
export interface IdentityFunctions extends PrincipalFunctions, TokenFunctions {}
