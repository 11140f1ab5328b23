import { issueToken, isTokenParameter, revokeToken, TokenRefused } from "@lastro/domain/identity"
import { Effect, Predicate, Result } from "effect"
import { type Encoded } from "../errors/encodeRefusal.ts"
import { type Exchange, type Incoming } from "../pipeline/Exchange.ts"
import { formDecode, parseForm } from "../pipeline/parseForm.ts"
import { parseJson, readText } from "../pipeline/readBody.ts"

const answer = (body: unknown): Encoded => ({ status: 200, headers: {}, body })

/** The token operations, by their endpoint names. */
export const tokenOperations = {
  issueToken: Effect.fnUntraced(function*({ request }: Exchange) {
    return answer(yield* issueToken(yield* readTokenParameters(request)))
  }),
  /** Revokes a token. Does nothing if the token is unknown (RFC 7009 §2.2). Ignores `token_type_hint`. */
  revokeToken: Effect.fnUntraced(function*({ request }: Exchange) {
    yield* revokeToken(yield* readTokenParameters(request))
    return answer(undefined)
  })
}

/** The client id and secret of an HTTP Basic header. */
interface BasicCredentials {
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

/**
 * Decodes Base64 of `id:secret`, each form-encoded (RFC 6749 §2.3.1). Throws if a text is not UTF-8 or its form encoding
 * is malformed. Returns undefined if anything else is.
 */
const decodeCredentials = (encoded: string): BasicCredentials | undefined => {
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
 * Reads the client credentials of an `Authorization` header (RFC 6749 §2.3.1). Returns undefined without the header.
 * Fails with `invalid_client` if it is not valid HTTP Basic.
 */
const basicCredentials = (
  authorization: string | undefined
): Result.Result<BasicCredentials | undefined, TokenRefused> => {
  if (authorization === undefined) return Result.succeed(undefined)
  if (authorization.slice(0, scheme.length).toLowerCase() !== scheme) return refused
  const credentials = Result.try({
    try: () => decodeCredentials(authorization.slice(scheme.length).trim()),
    catch: () => undefined
  })
  return Result.isSuccess(credentials) && credentials.success !== undefined
    ? Result.succeed(credentials.success)
    : refused
}

const form = "application/x-www-form-urlencoded"

const invalid = (description: string) => new TokenRefused({ error: "invalid_request", description })

/** Reads the parameters of a token operation from a form, as OAuth 2 clients send it, or from a JSON object. */
const readParameters = Effect.fnUntraced(function*(request: Incoming) {
  const { text, type } = yield* readText(request, [form, "application/json"])
  const body = type === form
    ? yield* Effect.fromResult(Result.mapError(parseForm(text), invalid))
    : yield* Effect.fromResult(parseJson(text))
  return Predicate.isReadonlyObject(body) ? body : yield* invalid("The body must be a form or a JSON object.")
})

/**
 * Adds the credentials of an HTTP Basic header to the parameters. Fails if the body also contains credentials, because
 * a client must use only one method (RFC 6749 §2.3).
 */
const withBasic = (
  body: Readonly<Record<string, unknown>>,
  basic: BasicCredentials
): Result.Result<Readonly<Record<string, unknown>>, TokenRefused> =>
  Object.hasOwn(body, "client_secret") || (Object.hasOwn(body, "client_id") && body["client_id"] !== basic.client_id)
    ? Result.fail(invalid("The client uses more than one authentication method. Send the credentials only once."))
    : Result.succeed({ ...body, ...basic })

/** Reads the parameters of a token request, with the client's credentials from the body or the header. */
const readTokenParameters = Effect.fnUntraced(function*(request: Incoming) {
  const body = yield* readParameters(request)
  const basic = yield* Effect.fromResult(basicCredentials(request.headers["authorization"]))
  return basic === undefined ? body : yield* Effect.fromResult(withBasic(body, basic))
})
