import { Predicate, Redacted, Result } from "effect"
import { TokenRefused } from "./TokenRequest.ts"

/** What an API client authenticates with. */
export interface ClientCredentials {
  readonly client_id: string
  readonly client_secret: Redacted.Redacted
}

/**
 * A token request that has what its grant needs. `client` are the credentials that came with it; the grants of a user
 * need none.
 */
export type Grant =
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

/** No parameter of a token request is longer; what is longer is refused before it costs anything. */
const longest = 4096

/** Whether a value can be a parameter of a token request: well-formed text of at most 4096 characters, without NUL. */
export const isTokenParameter = (value: unknown): value is string =>
  typeof value === "string" && value.length <= longest && value.isWellFormed() && !value.includes("\u0000")

const known = ["grant_type", "client_id", "client_secret", "username", "password", "refresh_token", "scope"]

const refuse = (error: TokenRefused["error"], description: string) =>
  Result.fail(new TokenRefused({ error, description }))

const noCredentials = refuse("invalid_client", "client_id and client_secret are needed.")

/**
 * A token request names its grant and carries, as text and once each, what that grant needs; other parameters are
 * ignored (RFC 6749 §3.2), and a client that sends no credentials, or half of them, has failed to authenticate (§5.2).
 * @rule AUTH-11
 */
export const readTokenRequest = (body: unknown): Result.Result<Grant, TokenRefused> => {
  if (!Predicate.isReadonlyObject(body)) return refuse("invalid_request", "The body has to be an object.")
  if (known.some((name) => Object.hasOwn(body, name) && !isTokenParameter(body[name]))) {
    return refuse("invalid_request", `Every parameter has to be one text of at most ${longest} characters.`)
  }
  const field = (name: string): string | undefined => {
    const value = Object.hasOwn(body, name) ? body[name] : undefined
    return typeof value === "string" && value !== "" ? value : undefined
  }
  const scope = field("scope")
  const client_id = field("client_id")
  const client_secret = field("client_secret")
  // A client_id alone says who asks and proves nothing; a client_secret alone fails to prove.
  const client = client_id === undefined || client_secret === undefined
    ? undefined
    : { client_id, client_secret: Redacted.make(client_secret) }
  const unproven = client === undefined && client_secret !== undefined
  switch (field("grant_type")) {
    case undefined:
      return refuse("invalid_request", "grant_type is missing.")
    case "client_credentials":
      return client === undefined ? noCredentials : Result.succeed({ type: "client_credentials", client, scope })
    case "password": {
      const username = field("username")
      const password = field("password")
      if (unproven) return noCredentials
      return username === undefined || password === undefined
        ? refuse("invalid_request", "username and password are needed.")
        : Result.succeed({ type: "password", client, username, password: Redacted.make(password), scope })
    }
    case "refresh_token": {
      const refresh_token = field("refresh_token")
      if (unproven) return noCredentials
      return refresh_token === undefined
        ? refuse("invalid_request", "refresh_token is needed.")
        : Result.succeed({ type: "refresh_token", client, refresh_token: Redacted.make(refresh_token), scope })
    }
    default:
      return refuse("unsupported_grant_type", "The grants are client_credentials, password and refresh_token.")
  }
}
