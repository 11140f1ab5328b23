import { type Lender } from "@lastro/domain/lender"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { type ContractOptions, contractSuite } from "../suite/ContractSuite.ts"
import { type Runner } from "../suite/Runner.ts"
import { lenderContractCases } from "./lenderContractCases.ts"
import { lenderCallbackCases, lenderExitCases } from "./lenderExitCases.ts"
import { lenderFailureCases } from "./lenderFailureCases.ts"
import { type LenderFixtures } from "./LenderFixtures.ts"
import { lenderQuoteCases } from "./lenderQuoteCases.ts"
import { sandboxLenderFixtures } from "./sandboxLenderFixtures.ts"

/** Options of the contract suite for Lender. */
export interface LenderSuiteOptions<R> extends ContractOptions {
  /** The outcomes of the lender. Default: those of the sandbox. */
  readonly outcomes?: LenderFixtures<R>
  /**
   * The clock of the adapter and the cases. `test` is a clock that only a fixture moves. It starts at
   * 2026-12-01T15:00:00Z. Default: `test`.
   */
  readonly clock?: "real" | "test"
}

/** The time at which the test clock starts: noon of a Tuesday in São Paulo. */
const beginning = Date.parse("2026-12-01T15:00:00.000Z")

/**
 * Contract suite for Lender. It takes a fixture for each outcome of the lender. An outcome that the lender cannot have
 * is declared with `impossible(reason)`.
 */
export const lenderSuite = <E, R = never>(
  name: string,
  layer: Layer.Layer<Lender | R, E>,
  runner: Runner,
  { clock = "test", outcomes = sandboxLenderFixtures as LenderFixtures<R>, ...options }: LenderSuiteOptions<R> = {}
): void => {
  const setClock = Layer.effectDiscard(Effect.suspend(() => TestClock.setTime(beginning)))
  const cases = [
    lenderQuoteCases(outcomes),
    lenderContractCases(outcomes),
    lenderExitCases(outcomes),
    lenderFailureCases(outcomes),
    lenderCallbackCases(outcomes)
  ]
  const suite = contractSuite<Lender | R>([{ port: "Lender", cases }], clock)
  suite(name, clock === "real" ? layer : Layer.provideMerge(layer, setClock), runner, options)
}
