import { describeIssue } from "@lastro/domain/input"
import { type CallResult, LenderUnavailable } from "@lastro/domain/lender"
import { errorCode } from "@lastro/domain/values"
import { type Cause, Clock, Data, Duration, Effect, Exit, type Schema } from "effect"
import { type HttpClientError } from "effect/http"
import { makeLenderBreaker } from "../lenderBreaker.ts"
import { parseRetryAfter, reasonOfFailure } from "../lenderTransport.ts"

/** The errors of one call to a lender. */
export type CallError = HttpClientError.HttpClientError | Schema.SchemaError | Cause.TimeoutError

/** Options of the circuit breaker. */
export interface BreakerOptions {
  /** Number of distinct jobs of a tenant whose calls must fail in a row before the breaker opens for the tenant. */
  readonly failures: number
  /** The time for which the breaker opens first. It doubles each time the breaker opens again, up to 1 minute. */
  readonly openFor: Duration.Input
}

/**
 * A failed call. If `healthy` is true, the circuit breaker counts the call as a success, because the lender responded
 * with a client error. It ignores a throttled call.
 */
class CallFailed extends Data.TaggedError("CallFailed")<{
  readonly detail: string
  readonly healthy: boolean
  readonly reason: Exclude<LenderUnavailable["reason"], "WITHHELD">
  readonly retry_after_ms: number | undefined
}> {}

const isHealthy = (status: number): boolean => status >= 400 && status < 500 && status !== 408

const circuits = ["quotes", "contracts"] as const
type Circuit = typeof circuits[number]

/** Maximum wait for the body of a throttled response. */
const bodyTimeout = "1 second"

/** Reads `retry_after` from a body: a number of seconds, or a text in the format of the `Retry-After` header. */
const retryAfterInBody = (body: unknown): string | undefined => {
  const stated = typeof body === "object" && body !== null && "retry_after" in body ? body.retry_after : undefined
  if (typeof stated === "number") return String(Math.ceil(stated))
  return typeof stated === "string" ? stated : undefined
}

/**
 * Returns `retry_after` from the body of a response with status 429. Undefined for other responses, and if there is a
 * valid `Retry-After` header.
 */
const readRetryAfter = (error: CallError, now: number): Effect.Effect<string | undefined> => {
  if (error._tag !== "HttpClientError" || !("response" in error.reason)) return Effect.undefined
  const { response } = error.reason
  if (response.status !== 429 || parseRetryAfter(response.headers["retry-after"], now) !== undefined) {
    return Effect.undefined
  }
  return response.json.pipe(
    Effect.timeout(bodyTimeout),
    Effect.map(retryAfterInBody),
    Effect.orElseSucceed(() => undefined)
  )
}

/** Describes a failed call with codes and numbers only. Omits all data sent or received. */
const toCallFailed = (error: CallError, now: number, inBody: string | undefined): CallFailed => {
  const failed = (detail: string, healthy = false, reason: "ASKED" | "UNREACHED" = "ASKED") =>
    new CallFailed({ detail, healthy, reason, retry_after_ms: undefined })
  if (error._tag === "TimeoutError") return failed("timeout")
  if (error._tag === "SchemaError") {
    return failed(`the response does not match the lender protocol: ${describeIssue(error.issue)}`)
  }
  const { reason } = error
  if ("response" in reason) {
    const { headers, status } = reason.response
    const detail = `status ${status}`
    const retry_after_ms = parseRetryAfter(headers["retry-after"], now) ?? parseRetryAfter(inBody, now)
    if (status === 429 || status === 503 && retry_after_ms !== undefined) {
      return new CallFailed({ detail, healthy: true, reason: "THROTTLED", retry_after_ms })
    }
    return status === 401 || status === 403
      ? new CallFailed({ detail, healthy: true, reason: "FORBIDDEN", retry_after_ms: undefined })
      : failed(detail, isHealthy(status))
  }
  if (reason._tag !== "TransportError") return failed("the request cannot be encoded")
  const code = errorCode(reason.cause)
  return failed(`connection failed: ${code ?? "UNKNOWN"}`, false, reasonOfFailure(code))
}

const classify = <A>(exit: Exit.Exit<A, CallFailed>): CallResult => {
  if (Exit.isSuccess(exit)) return "SUCCESS"
  const failures = exit.cause.reasons.flatMap((reason) => reason._tag === "Fail" ? [reason.error] : [])
  if (failures.some(({ reason }) => reason === "THROTTLED")) return "IGNORED"
  return failures.some(({ healthy }) => healthy) ? "SUCCESS" : "FAILURE"
}

/**
 * Returns two functions. `callLender` calls the lender once, with a timeout and a circuit breaker. `withheld` returns
 * the failure with which the breaker would reject a call, or null. The errors contain no data sent or received.
 */
export const makeLenderCalls = Effect.fnUntraced(
  function*(timeout: Duration.Input, { failures, openFor }: BreakerOptions) {
    const openForMs = Duration.toMillis(Duration.fromInputUnsafe(openFor))
    const breaker = yield* makeLenderBreaker("http", circuits, { failures, openForMs })
    /** Calls the lender. `key` is the circuit of the call: a lender that cannot price loans may still make payments. */
    const callLender = <A>(key: Circuit, operation: string, call: Effect.Effect<A, CallError>) => {
      const unavailable = (reason: LenderUnavailable["reason"], detail: string, retry_after_ms?: number) =>
        new LenderUnavailable({
          reason,
          detail: `${operation}: ${detail}`,
          ...(retry_after_ms === undefined ? {} : { retry_after_ms })
        })
      const failCall = Effect.fnUntraced(function*(error: CallError) {
        const now = yield* Clock.currentTimeMillis
        const inBody = yield* readRetryAfter(error, now)
        return yield* toCallFailed(error, now, inBody)
      })
      const attempt = call.pipe(Effect.timeout(timeout), Effect.catch(failCall))
      return breaker.through({ key, operation, resultOf: classify }, attempt).pipe(
        Effect.mapError((error) =>
          error._tag === "CallFailed" ? unavailable(error.reason, error.detail, error.retry_after_ms) : error
        ),
        Effect.withSpan(`Lender.${operation}`, {}, { captureStackTrace: false })
      )
    }
    return { callLender, withheld: breaker.withheld }
  }
)
