import { layerMemory, layerMemoryByHand, layerMemorySlots } from "@lastro/testkit"
import {
  administrationSuite,
  commonPasswordsSuite,
  documentSourceSuite,
  durableTurnsSuite,
  durableWorkSuite,
  hostTransactionsSuite,
  idGeneratorSuite,
  originationSuite,
  passwordHasherSuite,
  type Runner,
  secretGeneratorSuite,
  tokenSignerSuite
} from "@lastro/testkit/suites"

/** Registers every contract suite over the in-memory fakes. `runs` is the number of examples per property. */
export const memorySuites = (runner: Runner, runs: number): void => {
  administrationSuite("memory", layerMemory, runner, { units: "serialised", runs })
  originationSuite("memory", layerMemoryByHand, runner, { units: "serialised", runs })
  durableWorkSuite("memory", layerMemory, runner, { units: "serialised" })
  durableTurnsSuite("memory", layerMemorySlots({ maxJobs: 1 }), runner, { units: "serialised" })
  smallMemorySuites(runner)
}

/** Registers the suites of single ports over the in-memory fakes. They use everything that a runner must have. */
export const smallMemorySuites = (runner: Runner): void => {
  hostTransactionsSuite("memory", layerMemory, runner)
  documentSourceSuite("memory", layerMemory, runner)
  idGeneratorSuite("memory", layerMemory, runner)
  commonPasswordsSuite("memory", layerMemory, runner)
  passwordHasherSuite("memory", layerMemory, runner)
  secretGeneratorSuite("memory", layerMemory, runner)
  tokenSignerSuite("memory", layerMemory, runner)
}
