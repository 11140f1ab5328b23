import { Context, type Duration, type Effect, Layer } from "effect"
import { makeFaultRegistry } from "./faultRegistry.ts"
import {
  type FailureOptions,
  type FaultSwitch,
  type FaultTiming,
  InjectedFault,
  type Intercept,
  type PortCall
} from "./PortFault.ts"

/** A port's class, for example `PartnerRepository`. */
export type Port<S> = Context.Key<never, S> | Context.Key<unknown, S>

type AnyEffect = Effect.Effect<unknown, unknown, unknown>

/** The names of the methods of a port that return an effect, and of its members that are effects. */
export type MethodOf<S> = {
  [M in keyof S & string]: S[M] extends AnyEffect | ((...args: never) => AnyEffect) ? M : never
}[keyof S & string]

/** The error type of a method of a port, or of a member that is an effect. */
export type FailureOf<Method> = Method extends Effect.Effect<unknown, infer E, unknown> ? E
  : Method extends (...args: never) => Effect.Effect<unknown, infer E, unknown> ? E
  : never

/**
 * Injects faults into ports and records their calls. A fault belongs to one method of a port. If a method has several
 * faults, they combine: the call is first delayed, and then either fails, or runs and loses its result. Setting a fault
 * throws a `TestMistake` if no `faulty` layer provides the port, or if the port has no such method.
 */
export class Faults extends Context.Service<Faults, {
  /** Makes the call fail without running it. */
  readonly fail: <S, M extends MethodOf<S>>(
    port: Port<S>,
    method: M,
    how?: FailureOptions<FailureOf<S[M]>>
  ) => FaultSwitch
  /** Delays the start of the call. Effect's clock measures the delay. */
  readonly delay: <S, M extends MethodOf<S>>(
    port: Port<S>,
    method: M,
    by: Duration.Input,
    timing?: FaultTiming
  ) => FaultSwitch
  /**
   * Runs the call and then dies with an `InjectedFault`, so that the caller does not receive the result. If the call is
   * an outermost transaction (`UnitOfWork.atomically`), it has committed before the fault. If the call is a nested
   * transaction, the fault makes the outer transaction die and roll back.
   */
  readonly loseAnswer: <S, M extends MethodOf<S>>(port: Port<S>, method: M, timing?: FaultTiming) => FaultSwitch
  /** Removes all faults. */
  readonly liftAll: () => void
  /**
   * Returns the recorded calls, oldest first. `port` selects the calls of one port, and `method` those of one method of
   * the port. Default: all calls.
   */
  readonly calls: <S>(port?: Port<S>, method?: MethodOf<S>) => ReadonlyArray<PortCall>
  /** Deletes the recorded calls. */
  readonly forgetCalls: () => void
  /** Applies the faults that a test has set to a call. Code that wraps ports without `faulty` uses it. */
  readonly intercept: Intercept
  /**
   * Registers a port and those of its methods whose calls pass through `intercept`, so that tests can set faults on
   * them.
   */
  readonly registerPort: (key: string, methods: Iterable<string>) => void
}>()("@lastro/testkit/faults/Faults") {}

/** Provides {@link Faults}, initially without faults. */
export const layerFaults: Layer.Layer<Faults> = Layer.sync(Faults, () => {
  const { calls, forgetCalls, intercept, liftAll, registerPort, set } = makeFaultRegistry()
  return Faults.of({
    fail: (port, method, { defect, error, ...timing } = {}) =>
      set(port, method, timing, { kind: "failed", defect, error }),
    delay: (port, method, by, timing = {}) => set(port, method, timing, { kind: "delayed", by }),
    loseAnswer: (port, method, timing = {}) => set(port, method, timing, { kind: "lost" }),
    liftAll,
    calls,
    forgetCalls,
    intercept,
    registerPort
  })
})

/**
 * Returns a handler that rejects with an `InjectedFault` in its first calls, and then calls `handler`. With it, a test
 * lets a subscription fail.
 */
export const failFirst = <Args extends ReadonlyArray<unknown>>(
  times: number,
  handler: (...args: Args) => PromiseLike<unknown>
) => {
  let calls = 0
  return async (...args: Args): Promise<void> => {
    if (++calls <= times) throw new InjectedFault({ port: "handler", method: "call", done: false })
    await handler(...args)
  }
}
