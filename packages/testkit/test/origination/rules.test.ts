import { layerMemoryByHand } from "@lastro/testkit"
import { originationRulesSuite } from "@lastro/testkit/contracts"
import { rounds } from "../../../../test/rounds.ts"

originationRulesSuite("memory, at length", layerMemoryByHand, { units: "serialised", runs: 3 * rounds })
