import { LenderUnavailable } from "@lastro/domain"
import { type Cause, Data, type Duration, Effect, Exit, Schedule, type Schema } from "effect"
import { type HttpClientError } from "effect/http"
import { CircuitBreaker } from "effect/persistence"

/** What can go wrong in a call, by the client that makes it. */
export type CallError = HttpClientError.HttpClientError | Schema.SchemaError | Cause.TimeoutError

/** When calls are held back. */
export interface BreakerOptions {
  /** So many calls that fail, one after the other, open the breaker. */
  readonly failures: number
  /** How long it stays open at first; each time that it opens again, twice as long, up to a minute. */
  readonly openFor: Duration.Input
}

/** A call that brought no answer. A lender that answers, be it with a refusal of what was asked, is `healthy`. */
class NotAnswered extends Data.TaggedError("NotAnswered")<{ readonly detail: string; readonly healthy: boolean }> {}

const codeOf = (cause: unknown): string =>
  typeof cause === "object" && cause !== null && "code" in cause && typeof cause.code === "string"
    ? cause.code
    : "UNKNOWN"

const isHealthy = (status: number): boolean => status >= 400 && status < 500 && status !== 408 && status !== 429

/** What became of a call, without anything of what was sent or received: codes and numbers only. */
const notAnswered = (error: CallError): NotAnswered => {
  const failed = (detail: string, healthy = false) => new NotAnswered({ detail, healthy })
  if (error._tag === "TimeoutError") return failed("no answer in time")
  if (error._tag === "SchemaError") return failed("not the answer that was agreed on")
  const { reason } = error
  if ("response" in reason) return failed(`status ${reason.response.status}`, isHealthy(reason.response.status))
  return reason._tag === "TransportError"
    ? failed(`no connection, or a broken one: ${codeOf(reason.cause)}`)
    : failed("the request cannot be written down")
}

const classify = <A>(exit: Exit.Exit<A, NotAnswered>): CircuitBreaker.Outcome =>
  Exit.isSuccess(exit) || exit.cause.reasons.some((one) => one._tag === "Fail" && one.error.healthy)
    ? CircuitBreaker.success
    : CircuitBreaker.failure()

/** Makes single calls: each in so much time, none while the lender keeps failing, and what goes wrong told without a word of it. */
export const makeLenderCalls = Effect.fnUntraced(
  function*(timeout: Duration.Input, { failures, openFor }: BreakerOptions) {
    const breaker = yield* CircuitBreaker.make({
      tripPolicy: CircuitBreaker.consecutive(failures),
      openDuration: Schedule.exponential(openFor).pipe(Schedule.upTo({ duration: "1 minute" }))
    })
    /** Circuits are kept apart by `key`: a lender that cannot price may be able to pay. */
    return <A>(key: "quotes" | "contracts", operation: string, call: Effect.Effect<A, CallError>) => {
      const unavailable = (reason: LenderUnavailable["reason"], detail: string) =>
        new LenderUnavailable({ reason, detail: `${operation}: ${detail}` })
      return call.pipe(
        Effect.timeout(timeout),
        Effect.mapError(notAnswered),
        breaker.execute({ key, classify }),
        Effect.mapError((error) =>
          error._tag === "NotAnswered"
            ? unavailable("ASKED", error.detail)
            : unavailable("WITHHELD", "the lender has been failing and is left alone")
        ),
        Effect.withSpan(`Lender.${operation}`, {}, { captureStackTrace: false })
      )
    }
  }
)
