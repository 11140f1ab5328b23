import { registerMetrics } from "@lastro/domain/adapters"
import {
  type BreakerCall,
  type BreakerLimits,
  type BreakerState,
  CallOrigin,
  type CallResult,
  closedBreaker,
  isWithholding,
  judgeCall,
  LenderUnavailable,
  recordResult
} from "@lastro/domain/lender"
import { Clock, Effect, Exit, type Scope } from "effect"

/**
 * Runs a call through the circuit breaker. `resultOf` classifies the result of the call; an interrupted call is
 * ignored. If the breaker withholds the call, fails with `LenderUnavailable`, whose detail begins with `operation`.
 */
export type ThroughBreaker<Key extends string> = <A, E, R>(
  options: {
    readonly key: Key
    readonly operation: string
    readonly resultOf: (exit: Exit.Exit<A, E>) => CallResult
  },
  call: Effect.Effect<A, E, R>
) => Effect.Effect<A, E | LenderUnavailable, R>

/**
 * Makes a circuit breaker with a state for each key, which it keeps in memory. The rules LENDER-23 and LENDER-24
 * decide. Registers a metric for each key until the scope closes.
 */
export const makeLenderBreaker = <Key extends string>(
  lender: string,
  keys: ReadonlyArray<Key>,
  limits: BreakerLimits
): Effect.Effect<ThroughBreaker<Key>, never, Scope.Scope> =>
  Effect.gen(function*() {
    const { currentTimeMillisUnsafe } = yield* Clock.Clock
    const states = new Map<Key, BreakerState>(keys.map((key) => [key, closedBreaker]))
    const stateOf = (key: Key): BreakerState => states.get(key) ?? closedBreaker
    let lastId = 0

    yield* registerMetrics(keys.map((circuit) => ({
      name: "lastro_lender_breaker_open",
      description:
        "1 while the circuit breaker withholds calls of at least one tenant to the lender, and 0 while the next call is made",
      labels: { lender, circuit },
      read: () => {
        const { all, tenants } = stateOf(circuit)
        return [all, ...tenants.values()].some((one) => isWithholding(one, currentTimeMillisUnsafe())) ? 1 : 0
      },
      join: Math.max
    })))

    return ({ key, operation, resultOf }, call) =>
      Effect.flatMap(CallOrigin, ({ job, root }) => {
        const made: BreakerCall = { id: ++lastId, job, root }
        // Acquire and release cannot be interrupted between the judgement and the record, so no probe is left behind.
        const judge = Effect.flatMap(Clock.currentTimeMillis, (at) =>
          Effect.suspend(() => {
            const [state, answer] = judgeCall(stateOf(key), made, at)
            if (answer._tag === "WITHHELD") {
              return Effect.fail(
                new LenderUnavailable({
                  reason: "WITHHELD",
                  detail: `${operation}: circuit breaker open after repeated failures; the lender was not called`,
                  retry_after_ms: answer.after_ms,
                  is_cause: answer.is_cause
                })
              )
            }
            states.set(key, state)
            return Effect.void
          }))
        return Effect.acquireUseRelease(judge, () => call, (_, exit) =>
          Effect.map(Clock.currentTimeMillis, (at) => {
            const result = Exit.hasInterrupts(exit) ? "IGNORED" : resultOf(exit)
            states.set(key, recordResult(stateOf(key), made, result, { at, limits }))
          }))
      })
  })
