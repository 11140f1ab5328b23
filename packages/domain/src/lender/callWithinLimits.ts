import { Context, Duration, Effect, Result } from "effect"
import { Refusal } from "../input/Refusal.ts"
import { TenantMeter } from "../ports/TenantMeter.ts"
import { type Tenancy, unknownTenancy } from "../ports/turns.ts"
import { endWithin } from "../values/endWithin.ts"
import { monotonicMillis } from "../values/monotonicMillis.ts"
import { countPostponed, type LenderOperation, observeCall } from "./callMetrics.ts"
import { throttleLimits } from "./judgeThrottle.ts"
import { Lender } from "./Lender.ts"
import { LenderUnavailable } from "./LenderFailures.ts"
import { LenderSettings } from "./LenderSettings.ts"
import { LenderThrottle } from "./LenderThrottle.ts"

/**
 * A call to the lender ends after 30 seconds at the latest, even if the adapter never returns and ignores its
 * interruption. It then counts as a failed call.
 * @rule LENDER-05
 */
export const lenderCallDeadlineMs = 30_000

/** The origin of a call to the lender. */
export interface CallOrigin extends Tenancy {
  /** The name of the durable job that makes the call. Empty for a call outside of a job. */
  readonly job: string
}

/**
 * The origin of the calls in the current run of a job. By this origin, the throttle and the circuit breaker divide the
 * lender fairly among tenants.
 */
export const CallOrigin = Context.Reference<CallOrigin>("@lastro/domain/lender/CallOrigin", {
  defaultValue: () => ({ job: "", ...unknownTenancy })
})

/** Identifies a job in the queue of calls to the lender. `slot_at` is the time reserved for its call, if any, in ms. */
export interface CallTicket {
  readonly ticket: string
  readonly slot_at: number | null
}

/** The ticket of a call for an API request. Such a call never waits in the queue. */
export const ticketOfRequest: CallTicket = { ticket: "", slot_at: null }

/**
 * The lender is not called now. NO_SLOT: the throttle allows no call now, and has reserved the time `slot_at`.
 * THROTTLED: the lender refused the call because there were too many.
 */
export class CallPostponed extends Refusal("CallPostponed", "The lender is not called now.", ["reason"])<{
  readonly reason: "NO_SLOT" | "THROTTLED"
  /** The delay before the next call, in milliseconds. Undefined if the lender states none. */
  readonly after_ms: number | undefined
  readonly slot_at: number | null
}> {}

const countForTenant: Effect.Effect<void> = Effect.gen(function*() {
  const { root } = yield* CallOrigin
  const { count } = yield* TenantMeter
  count(yield* monotonicMillis, root, { calls: 1 })
})

/** Counts a call for its tenant, and ends it at its deadline (LENDER-05). */
const countAndEnd = <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E | LenderUnavailable, R> =>
  Effect.andThen(
    countForTenant,
    endWithin(
      call,
      Duration.millis(lenderCallDeadlineMs),
      Effect.fail(new LenderUnavailable({ reason: "ASKED", detail: "no answer within 30 s" }))
    )
  )

/** The answer to a call, and the result of its preparation. */
export interface PreparedAnswer<P, A, E> {
  readonly prepared: P
  readonly answer: Result.Result<A, E | LenderUnavailable>
}

/**
 * Every call to the lender passes the throttle of the installation, even a call for an API request. If the limits allow
 * no call now, the call is not made. A call that the lender throttled counts as not made. A call that the circuit
 * breaker withholds does not enter the throttle.
 *
 * `prepare` runs just before the call: after the throttle has allowed it, or the circuit breaker has withheld it.
 * @rule LENDER-11
 */
export const prepareAndCall = Effect.fnUntraced(function*<P, E1, R1, A, E, R>(
  ticket: CallTicket,
  operation: LenderOperation,
  prepare: Effect.Effect<P, E1, R1>,
  call: (prepared: P) => Effect.Effect<A, E, R>
): Effect.fn.Return<PreparedAnswer<P, A, E>, E1 | CallPostponed, R | R1 | Lender | LenderThrottle> {
  const { requirements: { name, throttle }, withheld = () => Effect.succeed(null) } = yield* Lender
  const attempt = Effect.fnUntraced(function*(calling: (prepared: P) => Effect.Effect<A, E | LenderUnavailable, R>) {
    const prepared = yield* prepare
    const answer = yield* Effect.result(observeCall(name, operation, calling(prepared)))
    if (Result.isFailure(answer) && isThrottled(answer.failure)) {
      const { retry_after_ms } = answer.failure
      return yield* new CallPostponed({ reason: "THROTTLED", after_ms: retry_after_ms, slot_at: ticket.slot_at })
    }
    return { prepared, answer }
  })
  const breakerFailure = yield* withheld(operation)
  if (breakerFailure !== null) return yield* attempt(() => Effect.fail(breakerFailure))

  const attemptCall = attempt((prepared) => countAndEnd(call(prepared)))
  const limits = throttleLimits(throttle, yield* LenderSettings)
  if (limits.requests_per_second === null && limits.max_in_flight === null) return yield* attemptCall

  const { enter, leave } = yield* LenderThrottle
  const { partner, root } = yield* CallOrigin
  const entry = yield* enter({ lender: name, ...ticket, tenancy: { root, partner } }, limits)
  if (entry._tag === "WAIT") {
    yield* countPostponed(name, operation)
    return yield* new CallPostponed({ reason: "NO_SLOT", after_ms: entry.after_ms, slot_at: entry.slot_at })
  }
  return yield* limits.max_in_flight === null ? attemptCall : Effect.ensuring(attemptCall, leave(name, entry.call))
})

/** Calls the lender like {@link prepareAndCall}, but without a preparation. */
export const callWithinLimits = <A, E, R>(
  ticket: CallTicket,
  operation: LenderOperation,
  call: Effect.Effect<A, E, R>
): Effect.Effect<A, E | LenderUnavailable | CallPostponed, R | Lender | LenderThrottle> =>
  Effect.flatMap(
    prepareAndCall(ticket, operation, Effect.void, () => call),
    ({ answer }) => Effect.fromResult(answer)
  )

const isThrottled = (error: unknown): error is LenderUnavailable =>
  error instanceof LenderUnavailable && error.reason === "THROTTLED"
