import { layerMemoryByHand } from "@lastro/testkit"
import { originationRulesSuite } from "@lastro/testkit/suites"
import * as runner from "vitest"
import { rounds } from "../../../../test/rounds.ts"

originationRulesSuite("memory, more runs", layerMemoryByHand, runner, { units: "serialised", runs: 3 * rounds })
