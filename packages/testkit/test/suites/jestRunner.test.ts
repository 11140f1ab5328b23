import { PersonalDataHasher } from "@lastro/domain/audit"
import { Effect, Layer } from "effect"
import { createHash } from "node:crypto"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type CaseContext, jestRunner } from "../../src/suites/suite/Runner.ts"
import { personalDataHasherSuite } from "../../src/suites/suites.ts"

const layerHash = Layer.succeed(PersonalDataHasher, {
  hash: (text) => Effect.sync(() => createHash("sha256").update(text, "utf8").digest("base64url"))
})

// The functions of vitest accept the arguments of Jest.
personalDataHasherSuite(
  "a suite with the runner for Jest",
  layerHash,
  jestRunner({ afterAll, beforeAll, describe, it })
)

describe("the runner for Jest", () => {
  it("aborts a case after its timeout", async () => {
    const cases: Array<() => Promise<void>> = []
    const runner = jestRunner({ afterAll, beforeAll, describe, it: (_name, run) => cases.push(run) })
    const untilAborted = ({ signal }: CaseContext) =>
      new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve()))
    runner.it("a case", { timeout: 1 }, untilAborted)
    assert.lengthOf(cases, 1)
    await Promise.all(cases.map((run) => run()))
  })
})
