import { layerMemory, layerMemoryByHand } from "@lastro/testkit"
import {
  administrationSuite,
  durableWorkSuite,
  idGeneratorSuite,
  originationSuite,
  passwordHasherSuite,
  secretGeneratorSuite,
  tokenSignerSuite
} from "@lastro/testkit/contracts"

administrationSuite("memory", layerMemory, { units: "serialised", runs: 60 })
originationSuite("memory", layerMemoryByHand, { units: "serialised", runs: 60 })
durableWorkSuite("memory", layerMemory, { units: "serialised" })
idGeneratorSuite("memory", layerMemory)
passwordHasherSuite("memory", layerMemory)
secretGeneratorSuite("memory", layerMemory)
tokenSignerSuite("memory", layerMemory)
