import { layerMemory } from "@lastro/testkit"
import { type Runner } from "@lastro/testkit/contracts"
import { type Context, Effect, Layer } from "effect"

/** A mistake that an adapter can make, and what the name of a case that finds it has to speak of. */
export interface Fault {
  readonly fault: string
  readonly named: RegExp
  /** Has the suite of the port concerned register its cases over an adapter that makes the mistake. */
  readonly suite: (runner: Runner) => void
}

/** Every port in memory. */
type MemoryPorts = Layer.Success<typeof layerMemory>

/** The fakes with one port spoilt, which may know the others. */
export const spoilt = <I, S, R extends MemoryPorts | I>(
  port: Context.Key<I, S>,
  spoil: (sound: S) => Effect.Effect<S, never, R>
) => Layer.provideMerge(Layer.effect(port, Effect.flatMap(port, spoil)), layerMemory)

/** How suites run over spoilt fakes, which like the fakes run one unit at a time. */
export const options = { units: "serialised", runs: 10 } as const
