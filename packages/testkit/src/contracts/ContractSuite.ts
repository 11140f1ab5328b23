import { it, type Vitest } from "@effect/vitest"
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

/**
 * A contract suite: registers every case of a contract with vitest, over the ports a layer provides. The layer is built
 * once for the whole suite, with the real clock, and closed after it.
 */
export type ContractSuite<R> = <E>(name: string, layer: Layer.Layer<R, E>, options?: ContractOptions) => void

/** The suite that runs these cases; `contract` names it in reports. */
export const contractSuite =
  <R>(contract: string, cases: ContractCases<R>): ContractSuite<R> => (name, layer, options = {}) => {
    const { runs = 30, timeout, units = "concurrent" } = options
    it.layer(layer, { excludeTestServices: true, ...(timeout === undefined ? {} : { timeout }) })(
      `${contract} contract (${name})`,
      (it) => cases(it, { runs, units })
    )
  }
