import { registerMetrics } from "@lastro/domain/adapters"
import { type Context, Duration, Effect, Exit, type Scope } from "effect"
import { type CircuitBreaker } from "effect/persistence"

/**
 * Returns whether a circuit blocks calls now. When its open time has passed, a circuit still reads as open until the
 * next call, but it does not block that call.
 */
const isWithholding = (present: CircuitBreaker.State): boolean =>
  present._tag === "Open" ? Duration.toMillis(present.retryAfter) > 0 : present._tag === "HalfOpen" && present.probing

/**
 * Registers a metric for each circuit of a circuit breaker, until the scope closes. The breaker must keep its state in
 * memory.
 */
export const registerBreakerMetrics = (
  lender: string,
  { state }: CircuitBreaker.CircuitBreaker,
  circuits: ReadonlyArray<string>
): Effect.Effect<void, never, Scope.Scope> =>
  Effect.contextWith((context: Context.Context<never>) => {
    const runSync = Effect.runSyncExitWith(context)
    return registerMetrics(circuits.map((circuit) => ({
      name: "lastro_lender_breaker_open",
      description: "1 while the circuit breaker withholds calls to the lender, and 0 while the next call is made",
      labels: { lender, circuit },
      read: () => {
        const present = runSync(state(circuit))
        return Exit.isSuccess(present) && isWithholding(present.value) ? 1 : 0
      },
      join: Math.max
    })))
  })
