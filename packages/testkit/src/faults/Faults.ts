import { Context, type Duration, type Effect, Layer } from "effect"
import { type Failing, type FaultSwitch, type Strikes } from "./FaultSwitch.ts"
import { type Around, type PortCall } from "./PortCall.ts"
import { switchboard } from "./switchboard.ts"

/** A port, by the class that names it: `PartnerRepository`. */
export type Port<S> = Context.Key<never, S> | Context.Key<unknown, S>

type Asked = Effect.Effect<unknown, unknown, unknown>

/** The methods of a port that give an effect, and its members that are one. */
export type MethodOf<S> = {
  [M in keyof S & string]: S[M] extends Asked | ((...given: never) => Asked) ? M : never
}[keyof S & string]

/** What a method of a port, or a member that is an effect, promises to fail with, if at all. */
export type FailureOf<Method> = Method extends Effect.Effect<unknown, infer E, unknown> ? E
  : Method extends (...given: never) => Effect.Effect<unknown, infer E, unknown> ? E
  : never

/**
 * Makes ports misbehave, and tells how they were called. Switches belong to a port and one of its methods; several on the same one
 * all take part: a call is delayed first, and fails, or is done and its answer lost. Setting one that could never strike throws a
 * `TestMistake`: where no `faulty` layer has the port, or the port has no such method.
 */
export class Faults extends Context.Service<Faults, {
  /** A call is not done, and fails. */
  readonly fail: <S, M extends MethodOf<S>>(port: Port<S>, method: M, how?: Failing<FailureOf<S[M]>>) => FaultSwitch
  /** A call is done so much later, by Effect's clock. */
  readonly delay: <S, M extends MethodOf<S>>(
    port: Port<S>,
    method: M,
    by: Duration.Input,
    which?: Strikes
  ) => FaultSwitch
  /**
   * A call is done, and then dies of an `InjectedFault`: whoever called cannot know that it was done. A transaction
   * (`UnitOfWork.atomically`) that loses its answer has committed if it is the outermost; the one around another dies with it, and is
   * undone.
   */
  readonly loseAnswer: <S, M extends MethodOf<S>>(port: Port<S>, method: M, which?: Strikes) => FaultSwitch
  /** Takes every switch back. */
  readonly liftAll: () => void
  /** The calls so far, oldest first: all of them, those of a port, or those of one of its methods. */
  readonly calls: <S>(port?: Port<S>, method?: MethodOf<S>) => ReadonlyArray<PortCall>
  /** Forgets the calls so far. */
  readonly forgetCalls: () => void
  /** What becomes of a call: for who wraps a port in another way than `faulty` does. */
  readonly around: Around
  /** Tells that calls of these methods of the port with a key will come by `around`, so that they can be struck. */
  readonly wraps: (key: string, methods: Iterable<string>) => void
}>()("@lastro/testkit/faults/Faults") {}

/** Switches, none of them set. */
export const layerFaults: Layer.Layer<Faults> = Layer.sync(Faults, () => {
  const { around, calls, forgetCalls, liftAll, set, wraps } = switchboard()
  return Faults.of({
    fail: (port, method, { defect, error, ...which } = {}) =>
      set(port, method, which, { kind: "failed", defect, error }),
    delay: (port, method, by, which = {}) => set(port, method, which, { kind: "delayed", by }),
    loseAnswer: (port, method, which = {}) => set(port, method, which, { kind: "lost" }),
    liftAll,
    calls,
    forgetCalls,
    around,
    wraps
  })
})
