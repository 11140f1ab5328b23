import { Predicate, Redacted, Result } from "effect"
import { refuseToken, type TokenRefused } from "./TokenRequest.ts"

/** The credentials of an API client. */
export interface ClientCredentials {
  readonly client_id: string
  readonly client_secret: Redacted.Redacted
}

/**
 * A valid token request. For the grant types `password` and `refresh_token`, the client credentials `client` are
 * optional.
 */
export type TokenGrant =
  & { readonly scope: string | undefined }
  & (
    | { readonly type: "client_credentials"; readonly client: ClientCredentials }
    | {
      readonly type: "password"
      readonly client: ClientCredentials | undefined
      readonly username: string
      readonly password: Redacted.Redacted
    }
    | {
      readonly type: "refresh_token"
      readonly client: ClientCredentials | undefined
      readonly refresh_token: Redacted.Redacted
    }
  )

/** Maximum length of a parameter. A longer parameter is refused before any other check. */
const maxParameterLength = 4096

/**
 * Returns whether a value can be a parameter of a token request: well-formed text without NUL, of at most 4096
 * characters.
 */
export const isTokenParameter = (value: unknown): value is string =>
  typeof value === "string" && value.length <= maxParameterLength && value.isWellFormed() && !value.includes("\u0000")

const parameterNames = ["grant_type", "client_id", "client_secret", "username", "password", "refresh_token", "scope"]

const noCredentials = refuseToken("invalid_client", "client_id and client_secret are required.")

/** Returns a function that reads the text of a field. An empty text counts as absent. */
const fieldOf = (body: Readonly<Record<string, unknown>>) => (name: string): string | undefined => {
  const value = Object.hasOwn(body, name) ? body[name] : undefined
  return typeof value === "string" && value !== "" ? value : undefined
}

/**
 * Reads the client credentials. A `client_id` alone only identifies the client. A `client_secret` alone is incomplete.
 */
const readClient = (
  field: (name: string) => string | undefined
): { readonly client: ClientCredentials | undefined; readonly isIncomplete: boolean } => {
  const [client_id, client_secret] = [field("client_id"), field("client_secret")]
  const client = client_id === undefined || client_secret === undefined
    ? undefined
    : { client_id, client_secret: Redacted.make(client_secret) }
  return { client, isIncomplete: client === undefined && client_secret !== undefined }
}

/** A valid revocation request. `client` holds the client credentials, if the request has them. */
export interface Revocation {
  readonly token: Redacted.Redacted
  readonly client: ClientCredentials | undefined
}

/**
 * A revocation request has the parameter `token`, and optional client credentials. Other parameters are ignored (RFC
 * 7009 §2.1). Incomplete client credentials are `invalid_client`.
 * @rule AUTH-30
 */
export const parseRevocation = (body: unknown): Result.Result<Revocation, TokenRefused> => {
  const field = fieldOf(Predicate.isReadonlyObject(body) ? body : {})
  const token = field("token")
  if (token === undefined) return refuseToken("invalid_request", "The parameter token is missing.")
  const { client, isIncomplete } = readClient(field)
  const isMalformed = client !== undefined &&
    ![client.client_id, Redacted.value(client.client_secret)].every(isTokenParameter)
  return isIncomplete || isMalformed ? noCredentials : Result.succeed({ token: Redacted.make(token), client })
}

/**
 * A token request has a grant type and the parameters of that grant type. Each parameter is sent once, as text. Unknown
 * parameters are ignored (RFC 6749 §3.2). Missing or incomplete client credentials are `invalid_client` (§5.2).
 * @rule AUTH-11
 */
export const parseTokenRequest = (body: unknown): Result.Result<TokenGrant, TokenRefused> => {
  if (!Predicate.isReadonlyObject(body)) return refuseToken("invalid_request", "The body must be an object.")
  if (parameterNames.some((name) => Object.hasOwn(body, name) && !isTokenParameter(body[name]))) {
    return refuseToken(
      "invalid_request",
      `Send every parameter once, as text of at most ${maxParameterLength} characters.`
    )
  }
  const field = fieldOf(body)
  const scope = field("scope")
  const { client, isIncomplete } = readClient(field)
  switch (field("grant_type")) {
    case undefined:
      return refuseToken("invalid_request", "grant_type is required.")
    case "client_credentials":
      return client === undefined ? noCredentials : Result.succeed({ type: "client_credentials", client, scope })
    case "password": {
      const username = field("username")
      const password = field("password")
      if (isIncomplete) return noCredentials
      return username === undefined || password === undefined
        ? refuseToken("invalid_request", "username and password are required.")
        : Result.succeed({ type: "password", client, username, password: Redacted.make(password), scope })
    }
    case "refresh_token": {
      const refresh_token = field("refresh_token")
      if (isIncomplete) return noCredentials
      return refresh_token === undefined
        ? refuseToken("invalid_request", "refresh_token is required.")
        : Result.succeed({ type: "refresh_token", client, refresh_token: Redacted.make(refresh_token), scope })
    }
    default:
      return refuseToken("unsupported_grant_type", "grant_type must be client_credentials, password or refresh_token.")
  }
}
