import { layerMemory } from "@lastro/testkit"
import { type Runner } from "@lastro/testkit/suites"
import { type Context, Effect, Layer } from "effect"

/** A broken adapter, and the cases of its contract suite that have to detect the fault. */
export interface Fault {
  readonly fault: string
  /** Matches the titles of the cases that have to detect the fault. */
  readonly detectedBy: RegExp

  /** Registers the contract suite of the port over the broken adapter. */
  readonly suite: (runner: Runner) => void
}

/** Every port in memory. */
type MemoryPorts = Layer.Success<typeof layerMemory>

/** Breaks one port of the in-memory fakes. The broken port can use the other ports. */
export const breakPort = <I, S, R extends MemoryPorts | I>(
  port: Context.Key<I, S>,
  breakIt: (sound: S) => Effect.Effect<S, never, R>
) => Layer.provideMerge(Layer.effect(port, Effect.flatMap(port, breakIt)), layerMemory)

/** The options of contract suites over broken fakes, which run one unit of work at a time. */
export const options = { units: "serialised", runs: 10 } as const
