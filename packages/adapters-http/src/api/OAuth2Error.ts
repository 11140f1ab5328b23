import { TokenErrorCode } from "@lastro/domain"
import { Schema } from "effect"

/**
 * The error codes of the token operations: those of RFC 6749 §5.2 and, for a server in trouble or a caller that asks
 * too often, the two of §4.1.2.1.
 */
export const OAuth2ErrorCode = Schema.Literals([
  ...TokenErrorCode.literals,
  "server_error",
  "temporarily_unavailable"
])
export type OAuth2ErrorCode = typeof OAuth2ErrorCode.Type

/** How the token operations refuse a request (RFC 6749 §5.2). */
export const OAuth2ErrorResponse = Schema.Struct({
  error: OAuth2ErrorCode.annotate({ description: "The error code of RFC 6749" }),
  error_description: Schema.String.annotate({ description: "For people" }),
  error_uri: Schema.optionalKey(
    Schema.String.annotate({ description: "Where more is written about the error", format: "uri" })
  )
}).annotate({
  identifier: "OAuth2ErrorResponse",
  description: "How the token operations refuse a request (RFC 6749 §5.2)"
})
export type OAuth2ErrorResponse = typeof OAuth2ErrorResponse.Type
