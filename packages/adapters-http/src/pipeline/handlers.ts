import { type TokenRefused } from "@lastro/domain"
import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { encodeOAuth2Refusal } from "../errors/encodeOAuth2Refusal.ts"
import { type Encoded, encodeRefusal } from "../errors/encodeRefusal.ts"
import { MethodNotAllowed } from "../errors/HttpRefusals.ts"
import { type Refusal } from "../errors/Refusal.ts"
import { type RateGate } from "../limits/rateGate.ts"
import { type Endpoint } from "./endpoints.ts"
import { type Exchange, languageOf } from "./Exchange.ts"
import { exchanged, type Surroundings } from "./exchanged.ts"
import { type Operation } from "./Operation.ts"
import { serveOperation } from "./serveOperation.ts"

/** What is said depends on the language asked for, also where nobody had to say who asks. */
const inEnvelope = (refusal: Refusal, exchange: Exchange): Encoded => {
  exchange.headers["vary"] ??= "Accept-Language"
  return encodeRefusal(refusal, languageOf(exchange), exchange.request_id)
}

/** Nothing about tokens is kept by anybody (RFC 6749 §5.1). */
const unstored = { "cache-control": "no-store", pragma: "no-cache" }

const basicChallenge = "Basic realm=\"lastro\", charset=\"UTF-8\""

/** RFC 6749 §5.2: a client that came with an `Authorization` header is told which scheme it should have used. */
const inOAuth2 = (refusal: Refusal | TokenRefused, { request }: Exchange): Encoded => {
  const encoded = encodeOAuth2Refusal(refusal)
  const challenged = encoded.status === 401 && request.headers["authorization"] !== undefined
  return {
    ...encoded,
    headers: { ...unstored, ...encoded.headers, ...(challenged ? { "www-authenticate": basicChallenge } : {}) }
  }
}

/** Answers a refusal instead of failing with it. */
const answered = <E, R>(
  serving: Effect.Effect<Encoded, E, R>,
  encode: (refusal: E, exchange: Exchange) => Encoded,
  exchange: Exchange
): Effect.Effect<Encoded, never, R> => Effect.catch(serving, (refusal) => Effect.succeed(encode(refusal, exchange)))

/** Handles a path with an operation on behalf of a caller. */
export const operationHandler = <R>(
  { path, query }: Pick<Endpoint, "path" | "query">,
  operation: Operation<R>,
  gate: RateGate,
  around: Surroundings
) => {
  const serve = serveOperation(operation, query, gate)
  return exchanged(
    path,
    around,
    inEnvelope,
    (exchange) => answered(Effect.flatMap(HttpRouter.params, (params) => serve(exchange, params)), inEnvelope, exchange)
  )
}

/** Handles a path with a token operation, which nobody has a token for yet: it is limited by address. */
export const tokenHandler = <R>(
  route: string,
  serve: (exchange: Exchange) => Effect.Effect<Encoded, Refusal | TokenRefused, R>,
  gate: RateGate,
  around: Surroundings
) =>
  exchanged(route, around, inOAuth2, (exchange) => {
    Object.assign(exchange.headers, unstored)
    return answered(Effect.flatMap(gate(exchange.client, exchange.headers), () => serve(exchange)), inOAuth2, exchange)
  })

/** Handles a path that is open to everybody. */
export const openHandler = <R>(
  route: string,
  serve: (exchange: Exchange) => Effect.Effect<Encoded, Refusal, R>,
  around: Surroundings
) => exchanged(route, around, inEnvelope, (exchange) => answered(serve(exchange), inEnvelope, exchange))

/** Refuses a method that a path does not have; the token operations do so in their own form. */
export const methodRefusal = (
  route: string,
  allow: ReadonlyArray<string>,
  form: "envelope" | "oauth2",
  around: Surroundings
) => {
  const encode = form === "oauth2" ? inOAuth2 : inEnvelope
  const refusal = new MethodNotAllowed({ allow })
  return exchanged(route, around, encode, (exchange) => Effect.sync(() => encode(refusal, exchange)))
}
