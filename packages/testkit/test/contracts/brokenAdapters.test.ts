import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { collect } from "./collect.ts"
import { failuresIn } from "./failuresIn.ts"
import { type Fault } from "./faults/Fault.ts"
import { hierarchyFaults } from "./faults/hierarchyFaults.ts"
import { identityFaults } from "./faults/identityFaults.ts"
import { originationFaults } from "./faults/originationFaults.ts"
import { partnerFaults } from "./faults/partnerFaults.ts"
import { transactionFaults } from "./faults/transactionFaults.ts"
import { memorySuites } from "./memorySuites.ts"

const faults: ReadonlyArray<Fault> = [
  ...partnerFaults,
  ...hierarchyFaults,
  ...transactionFaults,
  ...identityFaults,
  ...originationFaults
]

/** Milliseconds a case over a broken adapter may take: one that waits for what never comes fails by that. */
const limit = 2_000

describe("contract suites over a broken adapter", () => {
  for (const { fault, named, suite } of faults) {
    it.live(`${fault}: a case that names it fails`, () =>
      Effect.gen(function*() {
        const failed = (yield* failuresIn(collect(suite), limit)).map(({ name }) => name)
        assert.isTrue(failed.some((name) => named.test(name)), `failed: ${failed.join("; ")}`)
      }), 120_000)
  }

  it.live("pass over the fakes, run by the same runner", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* failuresIn(collect((runner) => memorySuites(runner, 10))), [])
    }), 120_000)
})
