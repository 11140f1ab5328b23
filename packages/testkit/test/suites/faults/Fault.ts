import { UnitOfWork } from "@lastro/domain/ports"
import { layerMemory, MemoryDatabase } from "@lastro/testkit"
import { type ContractOptions, type Runner } from "@lastro/testkit/suites"
import { type Context, Effect, Layer } from "effect"

/** A broken adapter, and the cases of its contract suite that have to detect the fault. */
export interface Fault {
  readonly fault: string
  /** Matches the titles of the cases that have to detect the fault. */
  readonly detectedBy: RegExp

  /** Registers the contract suite of the port over the broken adapter. */
  readonly suite: (runner: Runner) => void
}

type MemoryPorts = Layer.Success<typeof layerMemory>

/** The database of the in-memory fakes. */
export type Database = Context.Service.Shape<typeof MemoryDatabase>

/** A contract suite of a port that has an in-memory fake. */
type MemorySuite = (
  name: string,
  layer: Layer.Layer<MemoryPorts>,
  runner: Runner,
  options: ContractOptions
) => void

/** Breaks one port of the in-memory fakes. The broken port can use the other ports. */
export const breakPort = <I extends MemoryPorts, S, R extends MemoryPorts>(
  port: Context.Key<I, S>,
  breakIt: (sound: S) => Effect.Effect<S, never, R>
): Layer.Layer<MemoryPorts> =>
  // A broken port requires only ports that `layerMemory` provides.
  // @effect-diagnostics-next-line unsafeEffectTypeAssertion:off
  Layer.provideMerge(Layer.effect(port, Effect.flatMap(port, breakIt)), layerMemory) as Layer.Layer<MemoryPorts>

/** The options of contract suites over broken fakes, which run one unit of work at a time. */
export const options = { units: "serialised", runs: 10 } as const

/** Makes a fault of the fakes in `layer`, which the contract suite of a port has to detect. */
export const faultOfLayer = (
  fault: string,
  detectedBy: RegExp,
  suite: MemorySuite,
  layer: Layer.Layer<MemoryPorts>
): Fault => ({ fault, detectedBy, suite: (runner) => suite("broken", layer, runner, options) })

/** Returns a function that makes faults of a port. `override` replaces methods of the sound fake. */
export const faultOf =
  <I extends MemoryPorts, S extends object>(name: string, port: Context.Key<I, S>, suite: MemorySuite) =>
  (fault: string, detectedBy: RegExp, override: (sound: S, database: Database) => Partial<S>): Fault =>
    faultOfLayer(
      `${name}: ${fault}`,
      detectedBy,
      suite,
      breakPort(port, (sound) => Effect.map(MemoryDatabase, (all): S => ({ ...sound, ...override(sound, all) })))
    )

/** A UnitOfWork without transactions: every write is visible and permanent immediately. */
export const noUnits = breakPort(
  UnitOfWork,
  ({ isOpen }) => Effect.succeed(UnitOfWork.of({ atomically: (effect) => effect, isOpen }))
)
