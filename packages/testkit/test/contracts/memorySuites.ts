import { layerMemory, layerMemoryByHand } from "@lastro/testkit"
import {
  administrationSuite,
  durableWorkSuite,
  idGeneratorSuite,
  originationSuite,
  passwordHasherSuite,
  type Runner,
  secretGeneratorSuite,
  tokenSignerSuite
} from "@lastro/testkit/contracts"

/** Every contract that the in-memory fakes keep, with so many examples for each property. */
export const memorySuites = (runner: Runner, runs: number): void => {
  administrationSuite("memory", layerMemory, runner, { units: "serialised", runs })
  originationSuite("memory", layerMemoryByHand, runner, { units: "serialised", runs })
  durableWorkSuite("memory", layerMemory, runner, { units: "serialised" })
  idGeneratorSuite("memory", layerMemory, runner)
  passwordHasherSuite("memory", layerMemory, runner)
  secretGeneratorSuite("memory", layerMemory, runner)
  tokenSignerSuite("memory", layerMemory, runner)
}
