import { type Caller, callerKey } from "@lastro/domain/access"
import { type AccessClaims, judgeSubject, Unauthenticated } from "@lastro/domain/identity"
import { type InputKind } from "@lastro/domain/operation"
import { StatusWatch } from "@lastro/domain/origination"
import { rereadInTurn, withinBudget } from "@lastro/domain/ports"
import { monotonicMillis } from "@lastro/domain/values"
import { Duration, Effect, Option, Result } from "effect"
import { identifyCaller, whilePaused } from "../admission/Slot.ts"
import { type RateGate } from "../limits/rateGate.ts"
import { readAsCaller, runAsCaller, verifyBearer } from "./authenticate.ts"
import { type OperationEndpoint } from "./endpoints.ts"
import { ifMatch, knownBy } from "./entityTag.ts"
import { type Exchange } from "./Exchange.ts"
import { idempotencyKey } from "./idempotencyKey.ts"
import { malformedQuery } from "./malformedQuery.ts"
import { type Execute, type Operation, type PathParams, permitCall } from "./Operation.ts"
import { parseQuery } from "./parseQuery.ts"
import { type BodyKind, readJson } from "./readBody.ts"
import { hasArrived } from "./readBytes.ts"
import { encodeAnswer, isRead, markPrivate } from "./respond.ts"

/** The kind of body for each kind of input. */
const bodies: Readonly<Record<InputKind, BodyKind>> = {
  nothing: "none",
  query: "none",
  "optional query": "none",
  list: "none",
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
  const wanted = bodies[operation.takes]
  const isCommand = operation.takes === "command" || operation.takes === "optional command"

  /** Runs the operation with the body of the request. */
  const call = (exchange: Exchange, execute: Execute<R>, body: unknown, budget: number) => {
    const { path, request } = exchange
    const input = {
      budget,
      body,
      key: isCommand
        ? idempotencyKey(request.headers["idempotency-key"], { method: request.method, path, body })
        : undefined,
      expected: ifMatch(request.headers["if-match"]),
      isKnown: knownBy(request.headers["if-none-match"])
    }
    const malformed = malformedQuery(request.url, endpoint.query)
    if (Option.isSome(malformed)) {
      const refused = Effect.fail(malformed.value)
      // NOT_FOUND and OUTSIDE_HIERARCHY take precedence over problems of the query.
      return isRead(request) && endpoint.ids.length > 0
        ? Effect.andThen(execute({ ...input, query: {} }), refused)
        : refused
    }
    const called = execute({ ...input, query: parseQuery(request.url) })
    return operation.takes === "long poll"
      ? Effect.updateService(called, StatusWatch, waitWithoutSlot(exchange))
      : called
  }

  /**
   * Checks the permission of a caller, reads the body and runs the operation. If the operation takes no body, it runs at once.
   */
  const serve = (exchange: Exchange, params: PathParams, caller: Caller, budget: number) => {
    const { request, slot } = exchange
    const permitted = permit(caller, endpoint.ids.map((name) => params[name] ?? ""))
    if (Result.isFailure(permitted)) return Effect.fail(permitted.failure)
    const execute = permitted.success
    if (wanted === "none") return call(exchange, execute, undefined, budget)
    const reading = readJson(request, wanted)
    return Effect.flatMap(
      hasArrived(request.source) ? reading : whilePaused(slot, reading),
      (body) => call(exchange, execute, body, budget)
    )
  }

  /** Runs the operation for the caller of a verified token. */
  const serveClaims = (exchange: Exchange, params: PathParams, claims: AccessClaims, bucket: string) => {
    const { headers, request, slot } = exchange
    const quota: Record<string, string> = {}
    return Effect.flatMapEager(Effect.result(gate(bucket, quota)), (limited) => {
      const run = (caller: Caller, budget: number) =>
        Result.isFailure(limited) ? Effect.fail(limited.failure) : serve(exchange, params, caller, budget)
      const runWithin = (caller: Caller) => withinBudget((budget) => run(caller, budget))
      // A costly list waits for its turn without a slot.
      const finish = (caller: Caller, result: ReturnType<typeof runWithin>) =>
        rereadInTurn(
          bucket,
          result,
          () => run(caller, Number.POSITIVE_INFINITY),
          (wait) => whilePaused(slot, wait)
        )
      const isSentAtOnce = Result.isSuccess(limited) && readsAtOnce(operation, endpoint, request)
      const answering = isSentAtOnce
        ? readAsCaller(claims, runWithin, finish)
        : runAsCaller(claims, (caller) => finish(caller, runWithin(caller)))
      return Effect.matchEffect(answering, {
        onFailure: (refusal) => {
          // Only the caller may see the quota, so a token that is no longer valid does not show it.
          if (!(refusal instanceof Unauthenticated)) Object.assign(headers, quota)
          return Effect.fail(refusal)
        },
        onSuccess: (answer) => {
          Object.assign(headers, quota)
          return Effect.succeed(encodeAnswer(exchange, answer))
        }
      })
    })
  }

  return (exchange: Exchange, params: PathParams) => {
    const { headers, request, slot } = exchange
    markPrivate(headers)
    return Effect.flatMap(verifyBearer(request.headers["authorization"]), (claims) => {
      const subject = judgeSubject(claims)
      if (Result.isFailure(subject)) return Effect.fail(subject.failure)
      const bucket = callerKey(subject.success)
      return Effect.flatMapEager(identifyCaller(slot, bucket), () => serveClaims(exchange, params, claims, bucket))
    })
  }
}
