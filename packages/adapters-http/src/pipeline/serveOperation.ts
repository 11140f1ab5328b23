import { type Caller, CurrentIdempotencyKey, type RawQuery } from "@lastro/domain"
import { Effect, MutableRef, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { type RateGate } from "../limits/rateGate.ts"
import { authenticate } from "./authenticate.ts"
import { ifMatch, knownBy } from "./entityTag.ts"
import { type Exchange } from "./Exchange.ts"
import { idempotencyKey } from "./idempotencyKey.ts"
import { malformedQuery } from "./malformedQuery.ts"
import { type Operation, type PathParams } from "./Operation.ts"
import { readJson } from "./readBody.ts"
import { encodeAnswer, personal, reads } from "./respond.ts"

const bucketOf = ({ kind, subject }: Caller): string => `${kind}:${subject}`

/**
 * Runs an operation for the caller of a request, in the order that every operation keeps: who asks, how often, whether
 * it may, what it sends. `parameters` are the names of its query parameters. Existence, hierarchy, idempotency,
 * precondition, validation and state are the use case's.
 */
export const serveOperation = <R>(
  { body: kind, idempotent, permit }: Operation<R>,
  parameters: ReadonlySet<string>,
  gate: RateGate
) =>
  Effect.fnUntraced(function*(exchange: Exchange, params: PathParams) {
    const { headers, path, request } = exchange
    personal(headers)
    const caller = yield* authenticate(request.headers["authorization"])
    yield* gate(bucketOf(caller), headers)
    const run = yield* Effect.fromResult(permit(caller, params))
    const body = yield* readJson(request, kind)
    const call = {
      params,
      body,
      expected: ifMatch(request.headers["if-match"]),
      isKnown: knownBy(request.headers["if-none-match"])
    }
    const malformed = malformedQuery(request.url, parameters)
    if (Option.isSome(malformed)) {
      // Whether a record is there, and inside, comes before what is asked about it.
      if (reads(request) && Object.keys(params).length > 0) yield* run({ ...call, query: {} })
      return yield* malformed.value
    }
    const query: RawQuery = yield* HttpServerRequest.ParsedSearchParams
    const key = idempotent
      ? idempotencyKey(request.headers["idempotency-key"], { method: request.method, path, body })
      : undefined
    const ran = run({ ...call, query })
    const answer = yield* key === undefined ? ran : Effect.provideService(ran, CurrentIdempotencyKey, key)
    if (key !== undefined && "replayed" in key && MutableRef.get(key.replayed)) headers["idempotency-replayed"] = "true"
    return encodeAnswer(exchange, answer)
  })
