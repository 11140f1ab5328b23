import { lenderSuite } from "@lastro/testkit/contracts"
import * as runner from "vitest"
import { layerSandboxLender } from "../../../src/adapters/sandbox/layerSandboxLender.ts"

lenderSuite("sandbox, all at once", layerSandboxLender({ stepMs: 0 }), runner)

lenderSuite("sandbox, step by step", layerSandboxLender({ stepMs: 1_000 }), runner)
