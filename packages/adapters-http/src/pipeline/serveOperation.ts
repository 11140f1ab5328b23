import { type Caller, callerKey } from "@lastro/domain/access"
import { type ExportName, isExported } from "@lastro/domain/export"
import { type AccessClaims, judgeSubject, Unauthenticated } from "@lastro/domain/identity"
import { type ValidationFailed } from "@lastro/domain/input"
import { type InputKind } from "@lastro/domain/operation"
import { StatusWatch } from "@lastro/domain/origination"
import { type ReadBudgetExceeded, rereadInTurn, withinBudget } from "@lastro/domain/ports"
import { monotonicMillis } from "@lastro/domain/values"
import { Duration, Effect, Result } from "effect"
import { whilePaused } from "../admission/Slot.ts"
import { type Refusal } from "../errors/Refusal.ts"
import { type RateGate } from "../limits/rateGate.ts"
import { readAsCaller, runAsCaller, verifyBearer } from "./asCaller.ts"
import { idempotencyKey, ifMatch, knownBy } from "./conditionalHeaders.ts"
import { type ExportPorts, listQueryOf, openCsvExport, wantsCsv } from "./csvExport.ts"
import { type OperationEndpoint } from "./endpoints.ts"
import { type Exchange, isRead, languageOf } from "./Exchange.ts"
import { malformedQuery, parseQuery, unknownQuery } from "./parseQuery.ts"
import { type Execute, isCommandKind, permitCall, type ServedOperation } from "./permitCall.ts"
import { type BodyKind, readBody, whileArriving } from "./readBody.ts"
import { type Answer, encodeAnswer, markPrivate } from "./respond.ts"

/** Returns whether an operation of this kind can wait for a change. */
const canWait = (takes: InputKind): boolean => takes === "long poll" || takes === "feed"

/** The kind of body for each kind of input. */
const bodies: Readonly<Record<InputKind, BodyKind>> = {
  nothing: "none",
  query: "none",
  "optional query": "none",
  list: "none",
  command: "json",
  "optional command": "optional-json",
  file: "csv",
  patch: "patch",
  deletion: "none",
  "long poll": "none",
  feed: "none"
}

/** Releases the slot while an effect waits. Restarts the time limit of the request after the wait. */
const pauseSlot = <A, E, R>({ running, slot }: Exchange, timeout: Duration.Duration, wait: Effect.Effect<A, E, R>) =>
  Effect.flatMap(monotonicMillis, (now) => {
    running.postpone(now + Duration.toMillis(timeout))
    return whilePaused(slot, wait)
  })

/** Returns a `StatusWatch` that releases the slot of the request while a long poll waits. */
const waitWithoutSlot = (exchange: Exchange) => (watch: StatusWatch["Service"]): StatusWatch["Service"] => ({
  ...watch,
  wait: (waiter) => pauseSlot(exchange, waiter.timeout, watch.wait(waiter)),
  hold: (poll) => pauseSlot(exchange, poll.timeout, watch.hold(poll))
})

/** Returns whether a request may wait: a long poll with a query, or a feed with `wait`. */
const mayWait = (takes: InputKind, url: string): boolean =>
  canWait(takes) && url.includes(takes === "feed" ? "wait" : "?")

/** Returns whether a request only reads, stores no audit entry, and does not wait. */
const readsAtOnce = <R>(
  { isAuditedRead, takes }: ServedOperation<R>,
  { method }: OperationEndpoint,
  { url }: Exchange["request"]
): boolean => method === "GET" && !isAuditedRead && !mayWait(takes, url)

/**
 * Returns a function that runs an operation for the caller of a request. Every operation checks in this order:
 * authentication, rate limit, permission, body, query. The use case then checks existence, hierarchy, idempotency key,
 * precondition, fields and state.
 */
export const serveOperation = <R>(operation: ServedOperation<R>, endpoint: OperationEndpoint, gate: RateGate) => {
  const permit = permitCall(operation, endpoint)
  // The body of a PUT replaces the record, so it is not a merge patch.
  const wanted = endpoint.method === "PUT" ? "json" : bodies[operation.takes]
  const isList = operation.takes === "list"
  const isCommand = isCommandKind(operation.takes)

  const exported = isExported(endpoint.name) ? endpoint.name : undefined

  const idsOf = ({ params }: Exchange) => endpoint.ids.map((name) => params[name] ?? "")

  const sendCsv = (exchange: Exchange, name: ExportName, caller: Caller) => {
    const { request: { url } } = exchange
    const refusal = malformedQuery(url, endpoint.query)
    return refusal === undefined
      ? Effect.map(openCsvExport(name, caller, listQueryOf(url), languageOf(exchange)), (csv) => ({ status: 200, csv }))
      : Effect.fail(refusal)
  }

  /** Rejects the query of a request. A use case that takes a query rejects unknown parameters itself. */
  const refusedQuery = ({ request }: Exchange): ValidationFailed | undefined =>
    malformedQuery(request.url, endpoint.query) ??
      (operation.takes === "nothing" && isRead(request) ? unknownQuery(request.url) : undefined)

  const call = (exchange: Exchange, execute: Execute<R>, body: unknown, budget: number) => {
    const { path, request } = exchange
    const input = {
      budget,
      body,
      key: isCommand
        ? idempotencyKey(request.headers["idempotency-key"], {
          method: request.method,
          path,
          // The query of an uploaded file states what the file contains.
          body: operation.takes === "file" ? [body, parseQuery(request.url)] : body
        })
        : undefined,
      expected: ifMatch(request.headers["if-match"]),
      isKnown: knownBy(request.headers["if-none-match"])
    }
    const refusal = refusedQuery(exchange)
    if (refusal !== undefined) {
      const refused = Effect.fail(refusal)
      // NOT_FOUND and OUTSIDE_HIERARCHY take precedence over problems of the query.
      return isRead(request) && endpoint.ids.length > 0 && !operation.isAuditedRead
        ? Effect.andThen(execute({ ...input, query: {} }), refused)
        : refused
    }
    const query = exported === undefined ? parseQuery(request.url) : listQueryOf(request.url)
    const called = execute({ ...input, query })
    return mayWait(operation.takes, request.url)
      ? Effect.updateService(called, StatusWatch, waitWithoutSlot(exchange))
      : called
  }

  /** Checks the permission of a caller, reads the body and runs the operation. */
  const serve = (
    exchange: Exchange,
    caller: Caller,
    budget: number
  ): Effect.Effect<Answer, Refusal | ReadBudgetExceeded, R | ExportPorts | StatusWatch> => {
    const { request } = exchange
    const permitted = permit(caller, idsOf(exchange))
    if (Result.isFailure(permitted)) return Effect.fail(permitted.failure)
    const execute = permitted.success
    if (exported !== undefined) {
      exchange.headers["vary"] = "Authorization, Accept, Accept-Language"
      const isCsv = wantsCsv(request)
      if (Result.isFailure(isCsv)) return Effect.fail(isCsv.failure)
      if (isCsv.success) return sendCsv(exchange, exported, caller)
    }
    if (wanted === "none") return call(exchange, execute, undefined, budget)
    return Effect.flatMap(
      whileArriving(exchange, readBody(request, wanted)),
      (body) => call(exchange, execute, body, budget)
    )
  }

  const serveClaims = (exchange: Exchange, claims: AccessClaims, bucket: string) => {
    const { clock, headers, request, slot } = exchange
    const quota: Record<string, string> = {}
    const limited = gate(bucket, quota, clock)
    const run = (caller: Caller, budget: number) =>
      Result.isFailure(limited) ? Effect.fail(limited.failure) : serve(exchange, caller, budget)
    const runWithin = (caller: Caller) =>
      isList ? withinBudget((budget) => run(caller, budget)) : run(caller, Number.POSITIVE_INFINITY)
    // A costly list waits in the queue of costly reads, without a slot.
    const finish = (caller: Caller, result: ReturnType<typeof runWithin>) =>
      rereadInTurn(
        { root: caller.root_id, key: bucket },
        result,
        () => run(caller, Number.POSITIVE_INFINITY),
        (wait) => whilePaused(slot, wait)
      )
    const isReadAtOnce = Result.isSuccess(limited) && readsAtOnce(operation, endpoint, request)
    const answered = isReadAtOnce
      ? readAsCaller(claims, bucket, slot, runWithin, finish)
      : runAsCaller(claims, bucket, slot, (caller) => finish(caller, runWithin(caller)))
    /** Checks that the caller may still read the status after the wait of a long poll. */
    const checkAgain = () =>
      runAsCaller(claims, bucket, slot, (current) => Effect.fromResult(permit(current, idsOf(exchange))))
    const mayHaveWaited = canWait(operation.takes) && !isReadAtOnce
    return Effect.matchEffect(mayHaveWaited ? Effect.tap(answered, checkAgain) : answered, {
      onFailure: (refusal) => {
        // Only the caller may see the quota, and an invalid token has none.
        if (!(refusal instanceof Unauthenticated)) Object.assign(headers, quota)
        return Effect.fail(refusal)
      },
      onSuccess: (answer) => {
        Object.assign(headers, quota)
        return Effect.succeed(encodeAnswer(exchange, answer))
      }
    })
  }

  return (exchange: Exchange) => {
    const { headers, request } = exchange
    markPrivate(headers)
    return Effect.flatMap(verifyBearer(request.headers["authorization"]), (claims) => {
      exchange.running.claims = claims
      const subject = judgeSubject(claims)
      if (Result.isFailure(subject)) return Effect.fail(subject.failure)
      return serveClaims(exchange, claims, callerKey(subject.success))
    })
  }
}
