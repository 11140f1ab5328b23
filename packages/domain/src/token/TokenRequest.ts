import { Data, Schema } from "effect"

/** The body of the token operation (RFC 6749 §4.3, §4.4, §6), as form fields or JSON. */
export const TokenRequest = Schema.Struct({
  grant_type: Schema.Literals(["client_credentials", "password", "refresh_token"]),
  /** The client's: needed for `client_credentials`, verified wherever both are there; may come as HTTP Basic instead. */
  client_id: Schema.optionalKey(Schema.String),
  client_secret: Schema.optionalKey(Schema.String),
  /** The user's e-mail, for `password`. */
  username: Schema.optionalKey(Schema.String),
  password: Schema.optionalKey(Schema.String),
  refresh_token: Schema.optionalKey(Schema.String),
  /** Space-separated permissions; may only narrow what the group allows. */
  scope: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "TokenRequest" })
export type TokenRequest = typeof TokenRequest.Type

/** The answer of the token operation (RFC 6749 §5.1). */
export const TokenResponse = Schema.Struct({
  access_token: Schema.String,
  token_type: Schema.Literal("Bearer"),
  /** Seconds until the access token expires. */
  expires_in: Schema.Int,
  /** Not for `client_credentials`. */
  refresh_token: Schema.optionalKey(Schema.String),
  scope: Schema.String
}).annotate({ identifier: "TokenResponse" })
export type TokenResponse = typeof TokenResponse.Type

/** The error codes of the token operation (RFC 6749 §5.2). */
export const TokenErrorCode = Schema.Literals([
  "invalid_request",
  "invalid_client",
  "invalid_grant",
  "unsupported_grant_type",
  "invalid_scope"
])
export type TokenErrorCode = typeof TokenErrorCode.Type

/** The token request is refused (RFC 6749 §5.2). */
export class TokenRefused extends Data.TaggedError("TokenRefused")<{
  readonly error: TokenErrorCode
  readonly description: string
}> {}
