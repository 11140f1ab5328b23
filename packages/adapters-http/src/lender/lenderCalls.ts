import { LenderUnavailable } from "@lastro/domain/lender"
import { type Cause, Data, type Duration, Effect, Exit, Schedule, type Schema } from "effect"
import { type HttpClientError } from "effect/http"
import { CircuitBreaker } from "effect/persistence"

/** The errors of a single call. */
export type CallError = HttpClientError.HttpClientError | Schema.SchemaError | Cause.TimeoutError

/** Options of the circuit breaker. */
export interface BreakerOptions {
  /** Number of consecutive failures that open the breaker. */
  readonly failures: number
  /** Time for which the breaker first stays open. It doubles each time the breaker opens again, up to 1 minute. */
  readonly openFor: Duration.Input
}

/**
 * A failed call. `healthy` is true if the lender responded with a client error: the circuit breaker does not count such a
 * failure.
 */
class CallFailed extends Data.TaggedError("CallFailed")<{ readonly detail: string; readonly healthy: boolean }> {}

const codeOf = (cause: unknown): string =>
  typeof cause === "object" && cause !== null && "code" in cause && typeof cause.code === "string"
    ? cause.code
    : "UNKNOWN"

const isHealthy = (status: number): boolean => status >= 400 && status < 500 && status !== 408 && status !== 429

/** Describes a failed call by codes and numbers only, without sent or received data. */
const toCallFailed = (error: CallError): CallFailed => {
  const failed = (detail: string, healthy = false) => new CallFailed({ detail, healthy })
  if (error._tag === "TimeoutError") return failed("timeout")
  if (error._tag === "SchemaError") return failed("the response does not match the lender protocol")
  const { reason } = error
  if ("response" in reason) return failed(`status ${reason.response.status}`, isHealthy(reason.response.status))
  return reason._tag === "TransportError"
    ? failed(`connection failed: ${codeOf(reason.cause)}`)
    : failed("the request cannot be encoded")
}

const classify = <A>(exit: Exit.Exit<A, CallFailed>): CircuitBreaker.Outcome =>
  Exit.isSuccess(exit) || exit.cause.reasons.some((one) => one._tag === "Fail" && one.error.healthy)
    ? CircuitBreaker.success
    : CircuitBreaker.failure()

/**
 * Makes a function that calls the lender once, with a timeout and a circuit breaker. Errors contain no sent or received data.
 */
export const makeLenderCalls = Effect.fnUntraced(
  function*(timeout: Duration.Input, { failures, openFor }: BreakerOptions) {
    const breaker = yield* CircuitBreaker.make({
      tripPolicy: CircuitBreaker.consecutive(failures),
      openDuration: Schedule.exponential(openFor).pipe(Schedule.upTo({ duration: "1 minute" }))
    })
    /** Each `key` has its own circuit, because a lender that cannot price loans may still make payments. */
    return <A>(key: "quotes" | "contracts", operation: string, call: Effect.Effect<A, CallError>) => {
      const unavailable = (reason: LenderUnavailable["reason"], detail: string) =>
        new LenderUnavailable({ reason, detail: `${operation}: ${detail}` })
      return call.pipe(
        Effect.timeout(timeout),
        Effect.mapError(toCallFailed),
        breaker.execute({ key, classify }),
        Effect.mapError((error) =>
          error._tag === "CallFailed"
            ? unavailable("ASKED", error.detail)
            : unavailable("WITHHELD", "circuit breaker open after repeated failures; the lender was not called")
        ),
        Effect.withSpan(`Lender.${operation}`, {}, { captureStackTrace: false })
      )
    }
  }
)
