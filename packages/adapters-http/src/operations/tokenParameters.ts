import { TokenRefused } from "@lastro/domain/identity"
import { Effect, Predicate, Result } from "effect"
import { type Incoming } from "../pipeline/Exchange.ts"
import { parseJson, readText } from "../pipeline/readBody.ts"
import { type BasicCredentials, basicCredentials } from "./basicCredentials.ts"

const form = "application/x-www-form-urlencoded"

const invalid = (description: string) => new TokenRefused({ error: "invalid_request", description })

const component = (text: string): Result.Result<string, TokenRefused> =>
  Result.try({
    try: () => decodeURIComponent(text.replaceAll("+", " ")),
    catch: () => invalid("The form is not valid percent-encoded UTF-8.")
  })

/** Parses form fields. Rejects a repeated field (RFC 6749 §3.2). */
const parseForm = (text: string): Result.Result<Readonly<Record<string, string>>, TokenRefused> => {
  const fields = new Map<string, string>()
  for (const pair of text.split("&")) {
    if (pair === "") continue
    const equals = pair.indexOf("=")
    const name = component(equals < 0 ? pair : pair.slice(0, equals))
    const value = component(equals < 0 ? "" : pair.slice(equals + 1))
    if (Result.isFailure(name)) return Result.fail(name.failure)
    if (Result.isFailure(value)) return Result.fail(value.failure)
    if (fields.has(name.success)) return Result.fail(invalid("A parameter is repeated."))
    fields.set(name.success, value.success)
  }
  return Result.succeed(Object.fromEntries(fields))
}

/** Reads the parameters of a token operation from form fields (the format of OAuth 2 clients) or from a JSON object. */
export const readParameters = Effect.fnUntraced(function*(request: Incoming) {
  const { text, type } = yield* readText(request, [form, "application/json"])
  const body = type === form ? yield* Effect.fromResult(parseForm(text)) : yield* Effect.fromResult(parseJson(text))
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
export const readTokenParameters = Effect.fnUntraced(function*(request: Incoming) {
  const body = yield* readParameters(request)
  const basic = yield* Effect.fromResult(basicCredentials(request.headers["authorization"]))
  return basic === undefined ? body : yield* Effect.fromResult(withBasic(body, basic))
})
