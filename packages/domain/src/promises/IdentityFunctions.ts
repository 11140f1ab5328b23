import { type authenticated } from "../token/authenticated.ts"
import { type issueToken } from "../token/IssueToken.ts"
import { type resolveCaller } from "../token/resolveCaller.ts"
import { type revokeToken } from "../token/RevokeToken.ts"
import { type Answer } from "./Answer.ts"
import { type CallOptions } from "./CallOptions.ts"

/** Who is asking: every other function but the operator's is told its caller first. */
export interface IdentityFunctions {
  /** The caller that an access token of ours speaks for. */
  readonly callerOfToken: (access_token: string, options?: CallOptions) => Answer<typeof resolveCaller>
  /** The caller that a user is, whom the application has authenticated in its own way. */
  readonly callerOfUser: (user_id: string, options?: CallOptions) => Answer<typeof authenticated>
  /** The caller that an API client is, which the application has authenticated in its own way. */
  readonly callerOfClient: (client_id: string, options?: CallOptions) => Answer<typeof authenticated>
  /** Gives tokens for what the body of a token request proves (RFC 6749), untrusted. */
  readonly issueToken: (body: unknown, options?: CallOptions) => Answer<typeof issueToken>
  /** Ends a refresh token and its whole family; an unknown token is no error. */
  readonly revokeToken: (refresh_token: string, options?: CallOptions) => Answer<typeof revokeToken>
}
