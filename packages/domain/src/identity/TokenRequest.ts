import { Result, Schema } from "effect"
import { field } from "../input/field.ts"
import { Refusal } from "../input/Refusal.ts"

/** The body of the token operation (RFC 6749 §4.3, §4.4, §6), as form fields or JSON. */
export const TokenRequest = Schema.Struct({
  grant_type: field(Schema.Literals(["client_credentials", "password", "refresh_token"]), "Grant type"),
  client_id: field(
    Schema.optionalKey(Schema.String),
    "Required for the grant type `client_credentials`, unless sent as HTTP Basic. Optional for other grants.",
    ""
  ),
  client_secret: field(
    Schema.optionalKey(Schema.String),
    "Required for the grant type `client_credentials`, unless sent as HTTP Basic. Verified whenever it is sent.",
    ""
  ),
  username: field(
    Schema.optionalKey(Schema.String),
    "The user's e-mail address. Required for the grant type `password`.",
    ""
  ),
  password: field(
    Schema.optionalKey(Schema.String),
    "The user's password. Required for the grant type `password`.",
    ""
  ),
  refresh_token: field(
    Schema.optionalKey(Schema.String),
    "The latest refresh token. Required for the grant type `refresh_token`.",
    ""
  ),
  scope: field(
    Schema.optionalKey(Schema.String),
    "Permissions separated by spaces. Default: all permissions of the caller's group.",
    ""
  )
}).annotate({
  identifier: "TokenRequest",
  description: "Token request (RFC 6749 §4.3, §4.4, §6). Unknown parameters are ignored."
})
export interface TokenRequest extends Schema.Schema.Type<typeof TokenRequest> {}

/** The response of the token operation (RFC 6749 §5.1). */
export const TokenResponse = Schema.Struct({
  access_token: field(
    Schema.String,
    "Signed JWT (RFC 9068) for `Authorization: Bearer`",
    "eyJ0eXAiOiJhdCtqd3QiLCJhbGciOiJFUzI1NiJ9.e30.c2lnbmF0dXJl"
  ),
  token_type: field(Schema.Literal("Bearer"), "Always `Bearer`"),
  expires_in: field(Schema.Int, "Seconds until the access token expires", 900),
  refresh_token: field(
    Schema.optionalKey(Schema.String),
    "Continues the session. Valid for one use within 30 days. Absent for the grant type `client_credentials`."
  ),
  scope: field(
    Schema.String,
    "Permissions of the token, separated by spaces",
    "partners:read proposals:read fgts:read fgts:write kyc:read"
  )
}).annotate({ identifier: "TokenResponse", description: "Access token (RFC 6749 §5.1)" })
export interface TokenResponse extends Schema.Schema.Type<typeof TokenResponse> {}

/** The error codes of the token operations (RFC 6749 §5.2, RFC 7009 §2.2.1). */
export const TokenErrorCode = Schema.Literals([
  "invalid_request",
  "invalid_client",
  "invalid_grant",
  "unsupported_grant_type",
  "invalid_scope",
  "unsupported_token_type"
])
export type TokenErrorCode = typeof TokenErrorCode.Type

/** The token request is refused (RFC 6749 §5.2). */
export class TokenRefused extends Refusal("TokenRefused", "The token request is refused.", ["error"])<{
  readonly error: TokenErrorCode
  readonly description: string
}> {}

/** Refuses a request of a token operation. `description` is its `error_description`. */
export const refuseToken = (error: TokenErrorCode, description: string): Result.Result<never, TokenRefused> =>
  Result.fail(new TokenRefused({ error, description }))
