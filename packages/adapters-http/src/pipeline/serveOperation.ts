import { type Caller, callerKey } from "@lastro/domain/access"
import { type FeedRead } from "@lastro/domain/event"
import { type Once } from "@lastro/domain/idempotency"
import { type AccessClaims, judgeSubject, Unauthenticated } from "@lastro/domain/identity"
import { unknownParameters, ValidationFailed } from "@lastro/domain/input"
import { type InputKind, type Operation, type OperationInput } from "@lastro/domain/operation"
import { type StatusRead, StatusWatch, withoutLink } from "@lastro/domain/origination"
import { type ReadBudgetExceeded, rereadInTurn, withinBudget } from "@lastro/domain/ports"
import { monotonicMillis } from "@lastro/domain/values"
import { Duration, Effect, Predicate, Result, Struct } from "effect"
import { whilePaused } from "../admission/Slot.ts"
import { RateLimited } from "../errors/HttpRefusals.ts"
import { type Refusal } from "../errors/Refusal.ts"
import { type RateGate } from "../limits/rateGate.ts"
import { identifyClaims, readAsCaller, runAsCaller, verifyBearer } from "./asCaller.ts"
import { idempotencyKey, ifMatch, knownBy } from "./conditionalHeaders.ts"
import { type OperationEndpoint } from "./endpoints.ts"
import { type Exchange, isRead } from "./Exchange.ts"
import { malformedQuery, parseQuery } from "./parseQuery.ts"
import { type BodyKind, readJson, whileArriving } from "./readBody.ts"
import { type Answer, encodeAnswer, markPrivate } from "./respond.ts"

type CommandKind = "command" | "optional command"

/** An operation of the domain whose expected errors all have an error code. */
export type ServedOperation<R> =
  | Operation<
    ReadonlyArray<string>,
    Exclude<InputKind, CommandKind | "list" | "long poll" | "feed">,
    unknown,
    Refusal,
    R
  >
  | Operation<ReadonlyArray<string>, CommandKind, Once<unknown>, Refusal, R>
  | Operation<ReadonlyArray<string>, "list", unknown, Refusal | ReadBudgetExceeded, R>
  | Operation<ReadonlyArray<string>, "long poll", StatusRead, Refusal, R>
  | Operation<ReadonlyArray<string>, "feed", FeedRead, Refusal, R>

/** Executes an operation that the caller is permitted to call. */
type Execute<R> = (input: OperationInput) => Effect.Effect<Answer, Refusal | ReadBudgetExceeded, R>

type Permit<R> = (caller: Caller, ids: ReadonlyArray<string>) => Result.Result<Execute<R>, Refusal>

/** Seconds between two polls while a background job runs, or when the caller has reached its limit of long polls. */
const pollSeconds = 1

/** A long poll without capacity is refused, because an instant answer would make the caller poll without pause. */
const unlessTurnedAway = (turned_away: boolean, answer: Answer): Result.Result<Answer, RateLimited> =>
  turned_away ? Result.fail(new RateLimited({ retry_after_seconds: pollSeconds })) : Result.succeed(answer)

const answerPoll = ({ status, turned_away }: StatusRead) =>
  unlessTurnedAway(turned_away, {
    status: 200,
    body: status,
    tagged: withoutLink(status),
    ...(status.next_action === "WAIT" ? { retry_after_seconds: pollSeconds } : {})
  })

const answerFeed = ({ turned_away, ...feed }: FeedRead) => unlessTurnedAway(turned_away, { status: 200, body: feed })

/** Returns whether a request of an operation of this kind can wait for a change. */
const canWait = (takes: InputKind): boolean => takes === "long poll" || takes === "feed"

/** Leaves a field out of a record while it is an empty object. */
const withoutEmpty = (record: unknown, name: string): unknown => {
  if (!Predicate.isReadonlyObject(record)) return record
  const value = record[name]
  return Predicate.isReadonlyObject(value) && Object.keys(value).length === 0 ? Struct.omit(record, [name]) : record
}

/**
 * Makes the response from the result of a use case. A record gets an `ETag`, and a created record gets a `Location`.
 * Lists have an envelope of their own. Other results are wrapped in `data` if the API definition requires it.
 */
const answerResult = (
  { absentIfEmpty, creates, isRecord, secret, takes, untagged }: ServedOperation<unknown>,
  { hasDataEnvelope, path, status }: OperationEndpoint
) =>
(result: unknown): Answer => {
  if (status === 204) return { status }
  const shown = absentIfEmpty === undefined ? result : withoutEmpty(result, absentIfEmpty)
  const body = hasDataEnvelope && takes !== "list" && !takes.endsWith("query") ? { data: shown } : shown
  if (!Predicate.isReadonlyObject(result) || !(isRecord || creates !== undefined)) return { status, body }
  return {
    status,
    body,
    tagged: Struct.omit(result, [secret, untagged].filter((name) => name !== undefined)),
    secret: secret !== undefined && Object.hasOwn(result, secret),
    ...(creates === undefined ? {} : { location: `${path}/${String(result[creates])}` })
  }
}

const permitWith = <A, R>(
  { authorize }: Operation<ReadonlyArray<string>, InputKind, A, Refusal | ReadBudgetExceeded, R>,
  answer: (result: A) => Result.Result<Answer, Refusal>
): Permit<R> =>
(caller, ids) =>
  Result.map(
    authorize(caller, ...ids),
    ({ execute }) => (input) => Effect.flatMap(execute(input), (result) => Effect.fromResult(answer(result)))
  )

/**
 * Makes a function that checks the caller's permission. If the check succeeds, it returns a second function, which
 * executes the operation.
 */
const permitCall = <R>(operation: ServedOperation<R>, endpoint: OperationEndpoint): Permit<R> => {
  if (operation.takes === "long poll") return permitWith(operation, answerPoll)
  if (operation.takes === "feed") return permitWith(operation, answerFeed)
  const respond = answerResult(operation, endpoint)
  return operation.takes === "command" || operation.takes === "optional command"
    ? permitWith(operation, ({ answer, replayed }) => Result.succeed({ ...respond(answer), replayed }))
    : permitWith(operation, (result) => Result.succeed(respond(result)))
}

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
  "long poll": "none",
  feed: "none"
}

/** Releases the slot while an effect waits, and restarts the time limit of the request after the wait. */
const pauseSlot = <A, E, R>({ running, slot }: Exchange, timeout: Duration.Duration, wait: Effect.Effect<A, E, R>) =>
  Effect.flatMap(monotonicMillis, (now) => {
    running.postpone(now + Duration.toMillis(timeout))
    return whilePaused(slot, wait)
  })

/** Releases the slot while a long poll waits. */
const waitWithoutSlot = (exchange: Exchange) => (watch: StatusWatch["Service"]): StatusWatch["Service"] => ({
  ...watch,
  wait: (waiter) => pauseSlot(exchange, waiter.timeout, watch.wait(waiter)),
  hold: (poll) => pauseSlot(exchange, poll.timeout, watch.hold(poll))
})

/**
 * Returns whether a request only reads, stores no audit entry, and does not wait. A long poll without a query does not
 * wait, and a feed without `wait` neither.
 */
const readsAtOnce = <R>(
  { isAuditedRead, takes }: ServedOperation<R>,
  { method }: OperationEndpoint,
  { url }: Exchange["request"]
): boolean => method === "GET" && !isAuditedRead && (!canWait(takes) || !url.includes(takes === "feed" ? "wait" : "?"))

/**
 * Makes a function that runs an operation for the caller of a request. Every operation checks in the same order:
 * authentication, rate limit, permission, body, query. The use case then checks existence, hierarchy, idempotency key,
 * precondition, fields and state.
 */
export const serveOperation = <R>(operation: ServedOperation<R>, endpoint: OperationEndpoint, gate: RateGate) => {
  const permit = permitCall(operation, endpoint)
  const wanted = bodies[operation.takes]
  const isCommand = operation.takes === "command" || operation.takes === "optional command"

  /** Lists the parameters of a read that takes none (PAGE-31). The use cases of other reads judge theirs. */
  const unknownInRead = ({ request }: Exchange): ValidationFailed | undefined => {
    if (operation.takes !== "nothing" || !isRead(request) || !request.url.includes("?")) return undefined
    const problems = unknownParameters(parseQuery(request.url), () => false)
    return problems.length === 0 ? undefined : new ValidationFailed({ problems })
  }

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
    const refusal = malformedQuery(request.url, endpoint.query) ?? unknownInRead(exchange)
    if (refusal !== undefined) {
      const refused = Effect.fail(refusal)
      // NOT_FOUND and OUTSIDE_HIERARCHY take precedence over problems of the query.
      return isRead(request) && endpoint.ids.length > 0 && !operation.isAuditedRead
        ? Effect.andThen(execute({ ...input, query: {} }), refused)
        : refused
    }
    const called = execute({ ...input, query: parseQuery(request.url) })
    return canWait(operation.takes)
      ? Effect.updateService(called, StatusWatch, waitWithoutSlot(exchange))
      : called
  }

  /**
   * Checks the permission of a caller, reads the body and runs the operation. If the operation takes no body, it runs at once.
   */
  const serve = (exchange: Exchange, caller: Caller, budget: number) => {
    const { params, request } = exchange
    const permitted = permit(caller, endpoint.ids.map((name) => params[name] ?? ""))
    if (Result.isFailure(permitted)) return Effect.fail(permitted.failure)
    const execute = permitted.success
    if (wanted === "none") return call(exchange, execute, undefined, budget)
    return Effect.flatMap(
      whileArriving(exchange, readJson(request, wanted)),
      (body) => call(exchange, execute, body, budget)
    )
  }

  /** Runs the operation for the caller of a verified token. */
  const serveClaims = (exchange: Exchange, claims: AccessClaims, bucket: string) => {
    const { headers, request, slot } = exchange
    const quota: Record<string, string> = {}
    return Effect.flatMapEager(Effect.result(gate(bucket, quota)), (limited) => {
      const run = (caller: Caller, budget: number) =>
        Result.isFailure(limited) ? Effect.fail(limited.failure) : serve(exchange, caller, budget)
      const runWithin = (caller: Caller) => withinBudget((budget) => run(caller, budget))
      // A costly list waits for its turn without a slot.
      const finish = (caller: Caller, result: ReturnType<typeof runWithin>) =>
        rereadInTurn(
          { root: caller.root_id, key: bucket },
          result,
          () => run(caller, Number.POSITIVE_INFINITY),
          (wait) => whilePaused(slot, wait)
        )
      /** Answers a long poll only if the caller may still read the status after the wait. */
      const judgedAgain = <A, E, S>(answering: Effect.Effect<A, E, S>) =>
        Effect.tap(
          answering,
          () =>
            runAsCaller(claims, slot, (current) =>
              Effect.fromResult(permit(
                current,
                endpoint.ids.map((name) => exchange.params[name] ?? "")
              )))
        )
      const isSentAtOnce = Result.isSuccess(limited) && readsAtOnce(operation, endpoint, request)
      const answering = isSentAtOnce
        ? readAsCaller(claims, slot, runWithin, finish)
        : canWait(operation.takes)
        ? judgedAgain(runAsCaller(claims, slot, (caller) => finish(caller, runWithin(caller))))
        : runAsCaller(claims, slot, (caller) => finish(caller, runWithin(caller)))
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

  return (exchange: Exchange) => {
    const { headers, request, slot } = exchange
    markPrivate(headers)
    return Effect.flatMap(verifyBearer(request.headers["authorization"]), (claims) => {
      const subject = judgeSubject(claims)
      if (Result.isFailure(subject)) return Effect.fail(subject.failure)
      const bucket = callerKey(subject.success)
      return Effect.flatMapEager(
        identifyClaims(slot, bucket, claims),
        () => serveClaims(exchange, claims, bucket)
      )
    })
  }
}
