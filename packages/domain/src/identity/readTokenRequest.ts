import { Predicate, Redacted, Result } from "effect"
import { TokenRefused } from "./TokenRequest.ts"

/** A token request that has what its grant needs. */
export type Grant =
  & { readonly scope: string | undefined }
  & (
    | { readonly type: "client_credentials"; readonly client_id: string; readonly client_secret: Redacted.Redacted }
    | { readonly type: "password"; readonly username: string; readonly password: Redacted.Redacted }
    | { readonly type: "refresh_token"; readonly refresh_token: Redacted.Redacted }
  )

/** No field of a token request is longer; what is longer is refused before it costs anything. */
const longest = 4096

const refuse = (error: TokenRefused["error"], description: string) =>
  Result.fail(new TokenRefused({ error, description }))

/**
 * A token request names its grant and carries, as text and once each, what that grant needs.
 * @rule AUTH-11
 */
export const readTokenRequest = (body: unknown): Result.Result<Grant, TokenRefused> => {
  if (!Predicate.isReadonlyObject(body)) return refuse("invalid_request", "The body has to be an object.")
  const broken = Object.entries(body).find(([, value]) =>
    typeof value !== "string" || value.length > longest || !value.isWellFormed() || value.includes("\u0000")
  )
  if (broken !== undefined) {
    return refuse("invalid_request", `Every parameter has to be one text of at most ${longest} characters.`)
  }
  const field = (name: string): string | undefined => {
    const value = Object.hasOwn(body, name) ? body[name] : undefined
    return typeof value === "string" && value !== "" ? value : undefined
  }
  const scope = field("scope")
  switch (field("grant_type")) {
    case undefined:
      return refuse("invalid_request", "grant_type is missing.")
    case "client_credentials": {
      const client_id = field("client_id")
      const client_secret = field("client_secret")
      return client_id === undefined || client_secret === undefined
        ? refuse("invalid_request", "client_id and client_secret are needed.")
        : Result.succeed({ type: "client_credentials", client_id, client_secret: Redacted.make(client_secret), scope })
    }
    case "password": {
      const username = field("username")
      const password = field("password")
      return username === undefined || password === undefined
        ? refuse("invalid_request", "username and password are needed.")
        : Result.succeed({ type: "password", username, password: Redacted.make(password), scope })
    }
    case "refresh_token": {
      const refresh_token = field("refresh_token")
      return refresh_token === undefined
        ? refuse("invalid_request", "refresh_token is needed.")
        : Result.succeed({ type: "refresh_token", refresh_token: Redacted.make(refresh_token), scope })
    }
    default:
      return refuse("unsupported_grant_type", "The grants are client_credentials, password and refresh_token.")
  }
}
