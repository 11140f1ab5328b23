import { assert, describe, it } from "@effect/vitest"
import { layerMemoryByHand } from "@lastro/testkit"
import { Effect } from "effect"
import { type StoredJob } from "../../src/jobs/StoredJobs.ts"
import { lenderRegistry } from "../../src/lender/Lenders.ts"
import { isFailing, unavailableLenders } from "../../src/operator/troubles.ts"
import { type QuoteId } from "../../src/values/ids.ts"
import { timestampOf } from "../../src/values/Timestamp.ts"

describe("the troubles of a tree", () => {
  it("JOB-11 a job fails if its last run got no answer, and if it is at least a minute old", () => {
    const job = (last_error: string | null): StoredJob => ({
      kind: "quote",
      id: "0199f5a2-0000-7000-8000-000000000001",
      state: "WAITING",
      created_at: timestampOf(0),
      due_at: timestampOf(0),
      attempt: 1,
      failures: 0,
      last_error
    })
    assert.isTrue(isFailing(job("no answer"), timestampOf(60_000)))
    assert.isFalse(isFailing(job("no answer"), timestampOf(59_999)))
    assert.isFalse(isFailing(job(null), timestampOf(60_000)))
  })

  it.effect("LENDER-29 a lender is unavailable from five failing jobs on, and one that left from the first on", () =>
    Effect.gen(function*() {
      const registry = yield* lenderRegistry
      const [{ code = "", label = "" } = {}] = registry.lenders
      const jobs = (count: number, lender: string) =>
        Array.from({ length: count }, () => ({ kind: "quote", id: "" as QuoteId, lender }) as const)
      assert.deepStrictEqual(unavailableLenders(registry, jobs(4, code)), [])
      assert.deepStrictEqual(unavailableLenders(registry, jobs(5, code)), [{ label, jobs: 5 }])
      assert.deepStrictEqual(unavailableLenders(registry, jobs(1, "left")), [{ label: "left", jobs: 1 }])
      assert.deepStrictEqual(unavailableLenders(registry, [{ kind: "patience", id: "" as QuoteId }]), [])
    }).pipe(Effect.provide(layerMemoryByHand, { local: true })))
})
