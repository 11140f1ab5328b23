import { lenderSuite } from "@lastro/testkit/suites"
import * as runner from "vitest"
import { layerWithSimulator, qitechOutcomes } from "./qitechOutcomes.ts"

lenderSuite("QI Tech", layerWithSimulator, runner, { outcomes: qitechOutcomes })
