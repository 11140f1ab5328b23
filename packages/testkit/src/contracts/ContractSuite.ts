import { describe, it, type Vitest } from "@effect/vitest"
import { type Duration, type Layer } from "effect"

/** How a contract suite is run. */
export interface ContractOptions {
  /** How many random examples a property tries; 30 unless given. */
  readonly runs?: number
  /**
   * Whether units of work of the adapter run beside each other (`concurrent`, the default) or one at a time
   * (`serialised`). Cases of two units that wait for each other run on concurrent adapters only.
   */
  readonly units?: "concurrent" | "serialised"
  /** How long the layer may take to start; the runner's own limit for hooks unless given. */
  readonly timeout?: Duration.Input
}

/** The cases of a contract, registered with a runner that provides the ports `R`. */
export type ContractCases<R> = (
  it: Vitest.MethodsNonLive<R>,
  options: { readonly runs: number; readonly units: "concurrent" | "serialised" }
) => void

/** The contract of a port: its name and the cases that hold it. */
export interface Contract<R> {
  readonly port: string
  readonly cases: ReadonlyArray<ContractCases<R>>
}

/**
 * A contract suite: registers every case of its contracts with vitest, over the ports a layer provides. The layer is
 * built once for the whole suite and closed after it.
 */
export type ContractSuite<R> = <E>(name: string, layer: Layer.Layer<R, E>, options?: ContractOptions) => void

/** The suite of these contracts, in this order; by the real clock unless they need the test clock. */
export const contractSuite = <R>(
  contracts: ReadonlyArray<Contract<R>>,
  clock: "real" | "test" = "real"
): ContractSuite<R> =>
(name, layer, { runs = 30, timeout, units = "concurrent" } = {}) =>
  it.layer(layer, { excludeTestServices: clock === "real", ...(timeout === undefined ? {} : { timeout }) })(
    name,
    (it) => {
      for (const { cases, port } of contracts) {
        describe(`${port} contract`, () => {
          for (const register of cases) register(it, { runs, units })
        })
      }
    }
  )
