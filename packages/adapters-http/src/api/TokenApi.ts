import { TokenRequest, TokenResponse } from "@lastro/domain"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { oauth2Refusals } from "./refusals.ts"

/** The body of the revocation operation (RFC 7009 §2.1). */
export const RevokeTokenRequest = Schema.Struct({
  token: Schema.String.annotate({ description: "The refresh token to end" }),
  token_type_hint: Schema.optionalKey(
    Schema.String.annotate({ description: "Accepted and not needed (RFC 7009 §2.1)", examples: ["refresh_token"] })
  )
}).annotate({ description: "The refresh token to end" })
export type RevokeTokenRequest = typeof RevokeTokenRequest.Type

const refused = {
  405: ["invalid_request"],
  413: ["invalid_request"],
  415: ["invalid_request"],
  429: ["temporarily_unavailable"],
  500: ["server_error"],
  503: ["temporarily_unavailable"]
} as const

/** Tokens: issued (RFC 6749) and ended (RFC 7009). Form fields are what every OAuth 2 client sends; JSON works too. */
export class TokenApi extends HttpApiGroup.make("token").add(
  HttpApiEndpoint.post("issueToken", "/token", {
    payload: [TokenRequest.pipe(HttpApiSchema.asFormUrlEncoded()), TokenRequest],
    success: TokenResponse,
    error: oauth2Refusals({
      400: ["invalid_request", "invalid_grant", "unsupported_grant_type", "invalid_scope"],
      401: ["invalid_client"],
      ...refused
    })
  }).annotateMerge(OpenApi.annotations({
    summary: "Issue an access token",
    description: "Gives an access token for what the request proves: the secret of an API client " +
      "(`client_credentials`, in the body or as HTTP Basic), the password of a user (`password`), or the refresh token " +
      "of an earlier answer (`refresh_token`). A client that sends its secret beside the last two has to send the right " +
      "one. A refresh token is good for one use within 30 days: each answer brings the next, and using a spent one ends " +
      "the whole session.\n\n`scope` may narrow what the caller's group allows, " +
      "never widen it. Unknown parameters are ignored (RFC 6749 §3.2). Five failures for one username from one address " +
      "within 15 minutes are followed by 429 until the window has passed."
  })),
  HttpApiEndpoint.post("revokeToken", "/revoke", {
    payload: [RevokeTokenRequest.pipe(HttpApiSchema.asFormUrlEncoded()), RevokeTokenRequest],
    success: HttpApiSchema.Empty(200),
    error: oauth2Refusals({ 400: ["invalid_request"], ...refused })
  }).annotateMerge(OpenApi.annotations({
    summary: "End a session",
    description: "Ends a refresh token and every other of its session (RFC 7009). A token that is unknown or ended " +
      "already is answered alike. Access tokens that were issued live on until they expire, at most 15 minutes."
  }))
).prefix("/api/v1/oauth").annotateMerge(OpenApi.annotations({
  description: "Access tokens by OAuth 2 (RFC 6749, RFC 7009). Errors follow RFC 6749 §5.2."
})) {}
