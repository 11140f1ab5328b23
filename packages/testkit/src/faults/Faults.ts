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

/** The names of the members of a port that are effects, and of its methods that return one. */
export type MethodOf<S> = {
  [M in keyof S & string]: S[M] extends AnyEffect | ((...args: never) => AnyEffect) ? M : never
}[keyof S & string]

/** The error type of a method of a port, or of a member that is an effect. */
export type FailureOf<Method> = Method extends Effect.Effect<unknown, infer E, unknown> ? E
  : Method extends (...args: never) => Effect.Effect<unknown, infer E, unknown> ? E
  : never

/**
 * Injects faults into ports and records their calls. A fault belongs to one method of a port. Several faults of a
 * method combine: the call is first delayed, and then either fails, or runs and loses its result. Setting a fault
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
   * Runs the call, and then dies with an `InjectedFault`, so that the caller gets no result. An outermost transaction
   * (`UnitOfWork.atomically`) has then committed. For a nested transaction, the outer one dies and rolls back.
   */
  readonly loseAnswer: <S, M extends MethodOf<S>>(port: Port<S>, method: M, timing?: FaultTiming) => FaultSwitch
  /** Removes all faults. */
  readonly liftAll: () => void
  /**
   * Returns the recorded calls, oldest first. `port` selects the calls of one port, `method` the calls of one method of
   * that port. Default: all calls.
   */
  readonly calls: <S>(port?: Port<S>, method?: MethodOf<S>) => ReadonlyArray<PortCall>
  /** Deletes the recorded calls. */
  readonly forgetCalls: () => void
  /** Applies the set faults to a call. For code that wraps ports without `faulty`. */
  readonly intercept: Intercept
  /** Registers a port and its methods whose calls pass through `intercept`, so that tests can set faults on them. */
  readonly registerPort: (key: string, methods: Iterable<string>) => void
}>()("@lastro/testkit/faults/Faults") {}

/** Provides {@link Faults} without any fault. */
export const layerFaults: Layer.Layer<Faults> = Layer.sync(Faults, () => {
  const { set, ...registry } = makeFaultRegistry()
  return Faults.of({
    ...registry,
    fail: (port, method, { defect, error, ...timing } = {}) =>
      set(port, method, timing, { kind: "failed", defect, error }),
    delay: (port, method, by, timing = {}) => set(port, method, timing, { kind: "delayed", by }),
    loseAnswer: (port, method, timing = {}) => set(port, method, timing, { kind: "lost" })
  })
})

/**
 * Returns a handler whose first calls reject with an `InjectedFault`, and whose later calls run `handler`. For tests of
 * failing subscriptions.
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
