import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { dueAt, duePauseMs } from "../../src/jobs/lenderCallback.ts"

describe("dueAt", () => {
  it("JOB-05 callbacks at any times make a job due at most once a second, and the last of them leads to a run after it", () => {
    fc.assert(fc.property(fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 1 }), (unsorted) => {
      const times = unsorted.toSorted((a, b) => a - b)
      const due: Array<number> = []
      for (const at of times) {
        const next = dueAt(due.at(-1) ?? null, at)
        if (next !== null) due.push(next)
      }
      for (const [index, at] of due.entries()) {
        if (index > 0) assert.isAtLeast(at - (due[index - 1] ?? 0), duePauseMs)
      }
      assert.isAtLeast(due.at(-1) ?? 0, times.at(-1) ?? 0)
      assert.strictEqual(due[0], times[0])
    }))
  })
})
