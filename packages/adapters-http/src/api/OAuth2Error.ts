import { TokenErrorCode } from "@lastro/domain/identity"
import { Schema } from "effect"

/**
 * The error codes of the token operations (RFC 6749 §5.2, RFC 7009 §2.2.1). Those for server errors and rate limits are
 * from RFC 6749 §4.1.2.1.
 */
export const OAuth2ErrorCode = Schema.Literals([
  ...TokenErrorCode.literals,
  "server_error",
  "temporarily_unavailable"
])
export type OAuth2ErrorCode = typeof OAuth2ErrorCode.Type

/** The description of each code for developers. */
export const oauth2Errors: Readonly<Record<OAuth2ErrorCode, string>> = {
  invalid_request: "the method, media type, size or a parameter of the request is invalid",
  invalid_client: "the client is unknown or its secret is wrong",
  invalid_grant: "the username, the password or the refresh token is wrong or no longer valid",
  unsupported_grant_type: "`grant_type` must be `client_credentials`, `password` or `refresh_token`",
  invalid_scope: "`scope` contains an unknown permission or one that the caller's group lacks",
  unsupported_token_type: "the token is an access token without a session, which an earlier version issued",
  server_error: "internal error",
  temporarily_unavailable: "too many requests or failed attempts, or a server error; retry after `Retry-After`"
}

/** An error of the token operations (RFC 6749 §5.2). */
export const OAuth2ErrorResponse = Schema.Struct({
  error: OAuth2ErrorCode.annotate({ description: "Error code (RFC 6749 §5.2)" }),
  error_description: Schema.String.annotate({ description: "Message for people, in English" }),
  error_uri: Schema.optionalKey(
    Schema.String.annotate({ description: "URL of a page about the error", format: "uri" })
  )
}).annotate({
  identifier: "OAuth2ErrorResponse",
  description: "Error of a token operation (RFC 6749 §5.2)"
})
export type OAuth2ErrorResponse = typeof OAuth2ErrorResponse.Type
