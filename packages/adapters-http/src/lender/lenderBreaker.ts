import { registerMetrics } from "@lastro/domain/adapters"
import {
  type BreakerCall,
  type BreakerLimits,
  CallOrigin,
  type CallResult,
  type Circuit,
  type Circuits,
  closedCircuit,
  isWithholding,
  judgeCall,
  LenderCode,
  LenderUnavailable,
  recordResult
} from "@lastro/domain/lender"
import { monotonicMillis } from "@lastro/domain/values"
import { Clock, Effect, Exit, type Scope } from "effect"

/** A circuit breaker with a separate circuit for each key. */
export interface LenderBreaker<Key extends string> {
  /**
   * Runs a call through the circuit breaker. `resultOf` classifies the result of the call. An interrupted call does not
   * count. If the circuit is open, fails with `LenderUnavailable`, whose detail starts with `operation`.
   */
  readonly through: <A, E, R>(
    options: {
      readonly key: Key
      readonly operation: string
      readonly resultOf: (exit: Exit.Exit<A, E>) => CallResult
    },
    call: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | LenderUnavailable, R>
  /** Returns the failure with which the breaker would reject a call now. Null if the breaker would allow the call. */
  readonly withheld: (key: Key, operation: string) => Effect.Effect<LenderUnavailable | null>
}

/** Maximum number of tenants per key whose circuits are kept. */
const keptTenants = 1_024

/** The circuits of a key: one for all tenants together, and one per tenant. */
interface Panel {
  all: Circuit
  readonly tenants: Map<string, Circuit>
}

const circuitsOf = ({ all, tenants }: Panel, root: string): Circuits => ({
  all,
  own: tenants.get(root) ?? closedCircuit
})

/** Stores the circuits of a call. Drops the circuit that was stored longest ago if there are too many. */
const store = (panel: Panel, root: string, { all, own }: Circuits): void => {
  panel.all = all
  panel.tenants.delete(root)
  if (own.failed.length > 0 || own.open !== null) panel.tenants.set(root, own)
  const [oldest] = panel.tenants.keys()
  if (panel.tenants.size > keptTenants && oldest !== undefined) panel.tenants.delete(oldest)
}

const isOpen = ({ all, tenants }: Panel, at: number): boolean =>
  isWithholding(all, at) || Array.from(tenants.values()).some((circuit) => isWithholding(circuit, at))

/**
 * Makes a circuit breaker that follows the rules LENDER-23 and LENDER-24. Its circuits are in memory. Registers one
 * metric per key until the scope closes. The label of the metric is the code of the lender, or else `name`. Times are
 * monotonic, because a circuit would stay open for too long if the wall clock were set back.
 */
export const makeLenderBreaker = <Key extends string>(
  name: string,
  keys: ReadonlyArray<Key>,
  limits: BreakerLimits
): Effect.Effect<LenderBreaker<Key>, never, Scope.Scope> =>
  Effect.gen(function*() {
    const clock = yield* Clock.Clock
    const lender = (yield* LenderCode) ?? name
    const panels = new Map<Key, Panel>()
    const panelOf = (key: Key): Panel => {
      const panel = panels.get(key) ?? { all: closedCircuit, tenants: new Map() }
      panels.set(key, panel)
      return panel
    }
    let lastId = 0

    yield* registerMetrics(keys.map((circuit) => ({
      name: "lastro_lender_breaker_open",
      description:
        "1 while the circuit breaker withholds calls of at least one tenant to the lender, and 0 while the next call is made",
      labels: { lender, circuit },
      read: () => isOpen(panelOf(circuit), Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)) ? 1 : 0,
      join: Math.max
    })))

    /** Fails if the breaker rejects a call of the current job. Otherwise, passes the new circuits to `onAllowed`. */
    const allow = (
      { key, operation }: { readonly key: Key; readonly operation: string },
      onAllowed: (call: BreakerCall, circuits: Circuits) => void
    ): Effect.Effect<BreakerCall, LenderUnavailable> =>
      Effect.flatMap(Effect.all([CallOrigin, monotonicMillis]), ([{ job, root }, at]) => {
        const call: BreakerCall = { id: ++lastId, job, root }
        const [circuits, answer] = judgeCall(circuitsOf(panelOf(key), root), call, at)
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
        onAllowed(call, circuits)
        return Effect.succeed(call)
      })

    return {
      through: ({ key, operation, resultOf }, call) =>
        // The steps before and after the call cannot be interrupted, so every stored probe gets a result.
        Effect.acquireUseRelease(
          allow({ key, operation }, ({ root }, circuits) => store(panelOf(key), root, circuits)),
          () => call,
          (allowed, exit) =>
            Effect.map(monotonicMillis, (at) => {
              const result = Exit.hasInterrupts(exit) ? "IGNORED" : resultOf(exit)
              const before = circuitsOf(panelOf(key), allowed.root)
              store(panelOf(key), allowed.root, recordResult(before, allowed, result, { at, limits }))
            })
        ),
      withheld: (key, operation) =>
        Effect.match(allow({ key, operation }, () => {}), { onFailure: (failure) => failure, onSuccess: () => null })
    }
  })
