import { Redacted } from "effect"
import { issueToken } from "../token/IssueToken.ts"
import { callerOfPrincipal, resolveCaller } from "../token/resolveCaller.ts"
import { revokeToken } from "../token/RevokeToken.ts"
import { type CallOptions } from "./CallOptions.ts"
import { type Run } from "./Run.ts"
import { type UseCasePorts } from "./UseCasePorts.ts"

/** Makes the functions that authenticate callers. */
export const identityFunctions = (run: Run<UseCasePorts>) => ({
  /** Returns the caller of an access token. */
  callerOfToken: (access_token: string, options?: CallOptions) => run(() => resolveCaller(access_token), options),
  /** Returns the caller for a user that the application has authenticated itself. */
  callerOfUser: (user_id: string, options?: CallOptions) => run(() => callerOfPrincipal("user", user_id), options),
  /** Returns the caller for an API client that the application has authenticated itself. */
  callerOfClient: (client_id: string, options?: CallOptions) =>
    run(() => callerOfPrincipal("client", client_id), options),
  /** Issues tokens for an untrusted token request (RFC 6749). */
  issueToken: (body: unknown, options?: CallOptions) => run(() => issueToken(body), options),
  /** Revokes a refresh token and its whole family. An unknown token is no error. */
  revokeToken: (refresh_token: string, options?: CallOptions) =>
    run(() => revokeToken(Redacted.make(refresh_token)), options)
})

/** The functions that authenticate callers. The other functions take the caller that these return. */
export type IdentityFunctions = Readonly<ReturnType<typeof identityFunctions>>
