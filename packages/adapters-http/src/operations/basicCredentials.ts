import { isTokenParameter, TokenRefused } from "@lastro/domain/identity"
import { Result } from "effect"

/** The client id and secret of an HTTP Basic header. */
export interface BasicCredentials {
  readonly client_id: string
  readonly client_secret: string
}

const refused = Result.fail(
  new TokenRefused({
    error: "invalid_client",
    description: "The Authorization header has no valid Basic credentials."
  })
)

const decoder = new TextDecoder("utf-8", { fatal: true })

/** Form-decodes an id or a secret (RFC 6749 §2.3.1). Throws on invalid percent-encoding. */
const formDecode = (text: string): string => decodeURIComponent(text.replaceAll("+", " "))

const decode = (encoded: string): BasicCredentials | undefined => {
  const bytes = Buffer.from(encoded, "base64")
  if (bytes.toString("base64").replaceAll("=", "") !== encoded.replaceAll("=", "")) return undefined
  const text = decoder.decode(bytes)
  const colon = text.indexOf(":")
  if (colon < 1 || colon === text.length - 1) return undefined
  const client_id = formDecode(text.slice(0, colon))
  const client_secret = formDecode(text.slice(colon + 1))
  return isTokenParameter(client_id) && isTokenParameter(client_secret) ? { client_id, client_secret } : undefined
}

const scheme = "basic "

/**
 * Reads the client credentials of an `Authorization` header (RFC 6749 §2.3.1). Returns undefined if there is no header. Fails
 * with `invalid_client` if the header is not valid HTTP Basic.
 */
export const basicCredentials = (
  authorization: string | undefined
): Result.Result<BasicCredentials | undefined, TokenRefused> => {
  if (authorization === undefined) return Result.succeed(undefined)
  if (authorization.slice(0, scheme.length).toLowerCase() !== scheme) return refused
  const credentials = Result.try({
    try: () => decode(authorization.slice(scheme.length).trim()),
    catch: () => undefined
  })
  return Result.isSuccess(credentials) && credentials.success !== undefined
    ? Result.succeed(credentials.success)
    : refused
}
