import { layerMemory } from "@lastro/testkit"
import {
  administrationSuite,
  idGeneratorSuite,
  passwordHasherSuite,
  secretGeneratorSuite,
  tokenSignerSuite
} from "@lastro/testkit/contracts"

administrationSuite("memory", layerMemory, { units: "serialised", runs: 60 })
idGeneratorSuite("memory", layerMemory)
passwordHasherSuite("memory", layerMemory)
secretGeneratorSuite("memory", layerMemory)
tokenSignerSuite("memory", layerMemory)
