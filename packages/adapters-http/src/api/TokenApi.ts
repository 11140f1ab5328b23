import { TokenRequest, TokenResponse } from "@lastro/domain/identity"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { texts } from "./endpointParts.ts"
import { oauth2ErrorResponses } from "./errorResponses.ts"

/** The body of the revocation operation (RFC 7009 §2.1). */
export const RevokeTokenRequest = Schema.Struct({
  token: Schema.String.annotate({ description: "The refresh token or the access token", examples: [""] }),
  token_type_hint: Schema.optionalKey(
    Schema.String.annotate({ description: "Accepted and ignored (RFC 7009 §2.1)", examples: [""] })
  ),
  client_id: Schema.optionalKey(
    Schema.String.annotate({
      description: "Required for an access token of an API client, unless sent as HTTP Basic",
      examples: [""]
    })
  ),
  client_secret: Schema.optionalKey(
    Schema.String.annotate({
      description: "Required for an access token of an API client, unless sent as HTTP Basic",
      examples: [""]
    })
  )
}).annotate({ description: "Token to revoke" })
export type RevokeTokenRequest = typeof RevokeTokenRequest.Type

const refused = {
  405: ["invalid_request"],
  413: ["invalid_request"],
  415: ["invalid_request"],
  429: ["temporarily_unavailable"],
  500: ["server_error"],
  503: ["temporarily_unavailable"]
} as const

/** Token operations (RFC 6749, RFC 7009). They accept form fields, the format of OAuth 2 clients, and JSON. */
export class TokenApi extends HttpApiGroup.make("token").add(
  HttpApiEndpoint.post("issueToken", "/token", {
    payload: [TokenRequest.pipe(HttpApiSchema.asFormUrlEncoded()), TokenRequest],
    success: TokenResponse,
    error: oauth2ErrorResponses({
      400: ["invalid_request", "invalid_grant", "unsupported_grant_type", "invalid_scope"],
      401: ["invalid_client"],
      ...refused
    })
  }).annotateMerge(texts(
    "Issue an access token",
    "Issues an access token. Send the fields of one grant:\n\n" +
      "- `client_credentials`: `client_id` and `client_secret` of an API client, in the body or as HTTP Basic.\n- " +
      "`password`: `username` (e-mail address) and `password` of a user.\n- `refresh_token`: `refresh_token` of the " +
      "last response.\n\n" +
      "Client credentials sent with `password` or `refresh_token` are also verified. A refresh token is valid for " +
      "one use within 30 days. Each response contains the next one. Using a spent refresh token ends the session, " +
      "except for a repetition of the request by the same client within 10 s: it gets the same refresh token " +
      "again.\n\n" +
      "`scope` can narrow the permissions of the caller's group, but not extend them. Unknown parameters are ignored " +
      "(RFC 6749 §3.2). After five failed attempts within 15 minutes for the same username and address, the response " +
      "is 429 until the 15 minutes have passed. If too many password checks are waiting, the response is 503."
  )),
  HttpApiEndpoint.post("revokeToken", "/revoke", {
    payload: [RevokeTokenRequest.pipe(HttpApiSchema.asFormUrlEncoded()), RevokeTokenRequest],
    success: HttpApiSchema.Empty(200),
    error: oauth2ErrorResponses({
      400: ["invalid_request", "invalid_grant", "unsupported_token_type"],
      401: ["invalid_client"],
      ...refused
    })
  }).annotateMerge(texts(
    "Revoke a token",
    "Revokes a refresh token or an access token, and with it every token of its session (RFC 7009). Every server " +
      "refuses these tokens from the next request on. The response is the same for an unknown, expired or revoked " +
      "token. An access token of an API client is revoked only with the credentials of this client, in the body or " +
      "as HTTP Basic."
  ))
).prefix("/api/v1/oauth").annotateMerge(OpenApi.annotations({
  description: "OAuth 2 tokens (RFC 6749, RFC 7009). Errors follow RFC 6749 §5.2."
})) {}
