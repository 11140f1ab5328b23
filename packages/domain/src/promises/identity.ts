import { Redacted } from "effect"
import { authenticated } from "../token/authenticated.ts"
import { issueToken } from "../token/IssueToken.ts"
import { resolveCaller } from "../token/resolveCaller.ts"
import { revokeToken } from "../token/RevokeToken.ts"
import { type Run } from "./calls.ts"
import { type IdentityFunctions } from "./IdentityFunctions.ts"
import { type UseCasePorts } from "./UseCasePorts.ts"

/** The functions of who is asking. */
export const identity = (run: Run<UseCasePorts>): IdentityFunctions => ({
  callerOfToken: (access_token, options) => run(() => resolveCaller(access_token), options),
  callerOfUser: (user_id, options) => run(() => authenticated("user", user_id), options),
  callerOfClient: (client_id, options) => run(() => authenticated("client", client_id), options),
  issueToken: (body, options) => run(() => issueToken(body), options),
  revokeToken: (refresh_token, options) => run(() => revokeToken(Redacted.make(refresh_token)), options)
})
