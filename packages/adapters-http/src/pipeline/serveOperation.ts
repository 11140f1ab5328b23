import { CurrentIdempotencyKey } from "@lastro/domain/idempotency"
import { type Caller, callerKey } from "@lastro/domain/identity"
import { type InputKind } from "@lastro/domain/operation"
import { StatusWatch } from "@lastro/domain/origination"
import { type RawQuery, readList } from "@lastro/domain/paging"
import { monotonicMillis } from "@lastro/domain/time"
import { judgeSubject, Unauthenticated } from "@lastro/domain/token"
import { Duration, Effect, MutableRef, Option, Result } from "effect"
import { identifyCaller, whilePaused } from "../admission/Slot.ts"
import { type RateGate } from "../limits/rateGate.ts"
import { readAsCaller, runAsCaller, verifyBearer } from "./authenticate.ts"
import { type OperationEndpoint } from "./endpoints.ts"
import { ifMatch, knownBy } from "./entityTag.ts"
import { type Exchange } from "./Exchange.ts"
import { idempotencyKey } from "./idempotencyKey.ts"
import { malformedQuery } from "./malformedQuery.ts"
import { type Operation, type PathParams, permitCall } from "./Operation.ts"
import { parseQuery } from "./parseQuery.ts"
import { type BodyKind, readJson } from "./readBody.ts"
import { hasArrived } from "./readBytes.ts"
import { encodeAnswer, isRead, markPrivate } from "./respond.ts"

/** The kind of body for each kind of input. */
const bodies: Readonly<Record<InputKind, BodyKind>> = {
  nothing: "none",
  query: "none",
  "optional query": "none",
  command: "json",
  "optional command": "optional-json",
  patch: "patch",
  deletion: "none",
  "long poll": "none"
}

/** Releases the slot while a long poll waits, and restarts its time limit after the wait. */
const waitWithoutSlot = ({ deadline, slot }: Exchange) => (watch: StatusWatch["Service"]): StatusWatch["Service"] => ({
  ...watch,
  wait: (waiter) =>
    Effect.flatMap(monotonicMillis, (now) => {
      deadline.postpone(now + Duration.toMillis(waiter.timeout))
      return whilePaused(slot, watch.wait(waiter))
    })
})

/**
 * Returns whether a request only reads, stores no audit entry, and does not wait. A long poll without a query does not
 * wait.
 */
const readsAtOnce = <R>(
  { isAuditedRead, takes }: Operation<R>,
  { method }: OperationEndpoint,
  { url }: Exchange["request"]
): boolean => method === "GET" && !isAuditedRead && (takes !== "long poll" || !url.includes("?"))

/**
 * Makes a function that runs an operation for the caller of a request. Every operation checks in the same order:
 * authentication, rate limit, permission, body, query. The use case then checks existence, hierarchy, idempotency key,
 * precondition, fields and state.
 */
export const serveOperation = <R>(operation: Operation<R>, endpoint: OperationEndpoint, gate: RateGate) => {
  const permit = permitCall(operation, endpoint)
  const isCommand = operation.takes === "command" || operation.takes === "optional command"
  const isList = operation.takes.endsWith("query")
  const serve = Effect.fnUntraced(function*(exchange: Exchange, params: PathParams, caller: Caller) {
    const { headers, path, request } = exchange
    const execute = yield* Effect.fromResult(permit(caller, endpoint.ids.map((name) => params[name] ?? "")))
    const reading = readJson(request, bodies[operation.takes])
    const body = yield* hasArrived(request.source) ? reading : whilePaused(exchange.slot, reading)
    const input = {
      body,
      expected: ifMatch(request.headers["if-match"]),
      isKnown: knownBy(request.headers["if-none-match"])
    }
    const malformed = malformedQuery(request.url, endpoint.query)
    if (Option.isSome(malformed)) {
      // Execute without the query first: NOT_FOUND and OUTSIDE_HIERARCHY take precedence over problems of the query.
      if (isRead(request) && endpoint.ids.length > 0) yield* execute({ ...input, query: {} })
      return yield* malformed.value
    }
    const query: RawQuery = parseQuery(request.url)
    const key = isCommand
      ? idempotencyKey(request.headers["idempotency-key"], { method: request.method, path, body })
      : undefined
    const called = execute({ ...input, query })
    const call = operation.takes === "long poll"
      ? Effect.updateService(called, StatusWatch, waitWithoutSlot(exchange))
      : called
    const answer = yield* key === undefined ? call : Effect.provideService(call, CurrentIdempotencyKey, key)
    if (key !== undefined && "replayed" in key && MutableRef.get(key.replayed)) headers["idempotency-replayed"] = "true"
    return answer
  })
  return Effect.fnUntraced(function*(exchange: Exchange, params: PathParams) {
    const { headers, request } = exchange
    markPrivate(headers)
    const claims = yield* verifyBearer(request.headers["authorization"])
    const bucket = callerKey(yield* Effect.fromResult(judgeSubject(claims)))
    yield* identifyCaller(exchange.slot, bucket)
    const quota: Record<string, string> = {}
    const limited = yield* Effect.result(gate(bucket, quota))
    const run = (caller: Caller) =>
      Result.isFailure(limited) ? Effect.fail(limited.failure) : serve(exchange, params, caller)
    const isSentAtOnce = Result.isSuccess(limited) && readsAtOnce(operation, endpoint, request)
    const reading = isSentAtOnce ? readAsCaller(claims, run) : runAsCaller(claims, run)
    // A costly list releases the slot while it waits for its turn.
    const answering = isList
      ? readList(bucket, reading, {
        again: runAsCaller(claims, run),
        whileWaiting: (wait) => whilePaused(exchange.slot, wait)
      })
      : reading
    const answer = yield* Effect.result(answering)
    // Do not show the quota if the token is no longer valid, because only the caller may see it.
    if (Result.isSuccess(answer) || !(answer.failure instanceof Unauthenticated)) Object.assign(headers, quota)
    return encodeAnswer(exchange, yield* Effect.fromResult(answer))
  })
}
