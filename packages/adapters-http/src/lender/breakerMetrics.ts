import { registerMetrics } from "@lastro/domain/adapters"
import { type Context, Effect, Exit, type Scope } from "effect"
import { type CircuitBreaker } from "effect/persistence"

/** Registers a metric for each circuit of a breaker until the scope closes. The states of the breaker are in memory. */
export const registerBreakerMetrics = (
  lender: string,
  { state }: CircuitBreaker.CircuitBreaker,
  circuits: ReadonlyArray<string>
): Effect.Effect<void, never, Scope.Scope> =>
  Effect.contextWith((context: Context.Context<never>) => {
    const runSync = Effect.runSyncExitWith(context)
    return registerMetrics(circuits.map((circuit) => ({
      name: "lastro_lender_breaker_open",
      description: "1 while the circuit breaker withholds calls to the lender, and 0 otherwise",
      labels: { lender, circuit },
      read: () => {
        const present = runSync(state(circuit))
        return Exit.isSuccess(present) && present.value._tag !== "Closed" ? 1 : 0
      },
      join: Math.max
    })))
  })
