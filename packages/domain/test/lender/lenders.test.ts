import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { layerSandboxLender } from "../../src/adapters/sandbox/layerSandboxLender.ts"
import { jobStarted } from "../../src/jobs/Job.ts"
import { ReportProblem, waitForLender } from "../../src/jobs/logUnavailable.ts"
import { layerLenders } from "../../src/lender/layerLenders.ts"
import { Lender } from "../../src/lender/Lender.ts"
import { findLender, isLenderCode, lenderOfRecord, lenderRegistry } from "../../src/lender/Lenders.ts"

const sandbox = layerSandboxLender()

describe("the lenders of an installation", () => {
  it.effect("LENDER-27 one lender has the name of its adapter as its code, and also gets records without a code", () =>
    Effect.gen(function*() {
      const registry = yield* lenderRegistry
      assert.deepStrictEqual(registry.lenders.map(({ code }) => code), ["sandbox"])
      assert.isNull(registry.quote_patience_ms)
      assert.strictEqual(lenderOfRecord(registry, null)?.code, "sandbox")
      assert.isUndefined(lenderOfRecord(registry, "left"))
    }).pipe(Effect.provide(sandbox)))

  it.effect("LENDER-27 several lenders have the codes of the host, which are also the names of their adapters", () =>
    Effect.gen(function*() {
      const registry = yield* lenderRegistry
      assert.deepStrictEqual(
        registry.lenders.map(({ code, label, lender, status }) => [
          code,
          label,
          status,
          lender.requirements.name
        ]),
        [["b", "Banco B", "draining", "b"], ["a", "a", "active", "a"]]
      )
      assert.strictEqual((yield* Lender).requirements.name, "b")
      assert.isUndefined(lenderOfRecord(registry, null))
      assert.strictEqual(findLender(registry, "a")?.code, "a")
    }).pipe(
      Effect.provide(layerLenders({ b: { layer: sandbox, label: "Banco B", status: "draining" }, a: sandbox }))
    ))

  it.effect("LENDER-28 the job of a lender that left waits a minute, keeps its progress, and reports its code", () =>
    Effect.gen(function*() {
      const reported: Array<string> = []
      const outcome = yield* Effect.provideService(
        waitForLender("left", jobStarted),
        ReportProblem,
        (problem) => void reported.push(problem)
      )
      assert.deepStrictEqual(outcome, { _tag: "RETRY", after_ms: 60_000, progress: jobStarted })
      assert.isTrue(reported[0]?.includes("left"))
    }))

  it.effect("a code that is not valid, or no lender, is a mistake of the host", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(["a", "a-1", "A", "1a", "a_b", ""].map(isLenderCode), [
        true,
        true,
        false,
        false,
        false,
        false
      ])
      for (const lenders of [{ A: sandbox }, {}]) {
        assert.isTrue(Exit.hasDies(yield* Effect.exit(Effect.scoped(Effect.provide(Lender, layerLenders(lenders))))))
      }
    }))
})
