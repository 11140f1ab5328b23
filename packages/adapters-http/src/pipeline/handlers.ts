import { type TokenRefused } from "@lastro/domain/identity"
import { Effect } from "effect"
import { encodeOAuth2Refusal } from "../errors/encodeOAuth2Refusal.ts"
import { type Encoded, encodeRefusal } from "../errors/encodeRefusal.ts"
import { MethodNotAllowed } from "../errors/HttpRefusals.ts"
import { type Refusal } from "../errors/Refusal.ts"
import { type RateGate } from "../limits/rateGate.ts"
import { type OperationEndpoint } from "./endpoints.ts"
import { type Exchange, languageOf } from "./Exchange.ts"
import { handleRequest } from "./exchanged.ts"
import { type Operation, type PathParams } from "./Operation.ts"
import { serveOperation } from "./serveOperation.ts"
import { type ServerContext } from "./ServerContext.ts"

/** Encodes an error in the API's error envelope, in the language that the `Accept-Language` header prefers. */
const encodeEnvelope = (refusal: Refusal, exchange: Exchange): Encoded => {
  exchange.headers["vary"] ??= "Accept-Language"
  return encodeRefusal(refusal, languageOf(exchange), exchange.request_id)
}

/** Headers of every token response: caches must not store it (RFC 6749 §5.1). */
const uncached = { "cache-control": "no-store", pragma: "no-cache" }

const basicChallenge = "Basic realm=\"lastro\", charset=\"UTF-8\""

/**
 * Encodes an error of a token operation (RFC 6749 §5.2). Adds a `WWW-Authenticate` header if the client sent an
 * `Authorization` header.
 */
const encodeOAuth2 = (refusal: Refusal | TokenRefused, { request }: Exchange): Encoded => {
  const encoded = encodeOAuth2Refusal(refusal)
  const challenged = encoded.status === 401 && request.headers["authorization"] !== undefined
  return {
    ...encoded,
    headers: { ...uncached, ...encoded.headers, ...(challenged ? { "www-authenticate": basicChallenge } : {}) }
  }
}

/** Converts each expected error of an effect to a response. */
const encodeFailures = <E, R>(
  serving: Effect.Effect<Encoded, E, R>,
  encode: (refusal: E, exchange: Exchange) => Encoded,
  exchange: Exchange
): Effect.Effect<Encoded, never, R> => Effect.catch(serving, (refusal) => Effect.succeed(encode(refusal, exchange)))

/** Makes the handler of an operation. */
export const operationHandler = <R>(
  endpoint: OperationEndpoint,
  operation: Operation<R>,
  gate: RateGate,
  around: ServerContext
) => {
  const serve = serveOperation(operation, endpoint, gate)
  return handleRequest(
    endpoint.path,
    around,
    encodeEnvelope,
    (exchange, params) => encodeFailures(serve(exchange, params), encodeEnvelope, exchange)
  )
}

/**
 * Makes the handler of a token operation. The rate limit applies to the client address, because callers have no token yet.
 */
export const tokenHandler = <R>(
  route: string,
  serve: (exchange: Exchange) => Effect.Effect<Encoded, Refusal | TokenRefused, R>,
  gate: RateGate,
  around: ServerContext
) =>
  handleRequest(route, around, encodeOAuth2, (exchange) => {
    Object.assign(exchange.headers, uncached)
    return encodeFailures(
      Effect.flatMap(gate(exchange.client, exchange.headers), () => serve(exchange)),
      encodeOAuth2,
      exchange
    )
  })

/**
 * Makes the handler of an operation that the lender calls. The rate limit applies to the client address, because
 * nothing identifies the lender before the content of the request is verified.
 */
export const callbackHandler = <R>(
  route: string,
  serve: (exchange: Exchange, params: PathParams) => Effect.Effect<Encoded, Refusal, R>,
  gate: RateGate,
  around: ServerContext
) =>
  handleRequest(route, around, encodeEnvelope, (exchange, params) =>
    encodeFailures(
      Effect.flatMap(gate(exchange.client, exchange.headers), () => serve(exchange, params)),
      encodeEnvelope,
      exchange
    ))

/** Makes the handler of a public path. */
export const openHandler = <R>(
  route: string,
  serve: (exchange: Exchange) => Effect.Effect<Encoded, Refusal, R>,
  around: ServerContext
) =>
  handleRequest(route, around, encodeEnvelope, (exchange) => encodeFailures(serve(exchange), encodeEnvelope, exchange))

/** Makes the handler that answers 405. For token operations, the response has the error format of OAuth 2. */
export const methodRefusal = (
  route: string,
  allow: ReadonlyArray<string>,
  form: "envelope" | "oauth2",
  around: ServerContext
) => {
  const encode = form === "oauth2" ? encodeOAuth2 : encodeEnvelope
  const refusal = new MethodNotAllowed({ allow })
  return handleRequest(route, around, encode, (exchange) => Effect.sync(() => encode(refusal, exchange)))
}
