import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { applicationFaults } from "./faults/applicationFaults.ts"
import { commissionFaults } from "./faults/commissionFaults.ts"
import { eventFaults } from "./faults/eventFaults.ts"
import { type Fault } from "./faults/Fault.ts"
import { hierarchyFaults } from "./faults/hierarchyFaults.ts"
import { identityFaults } from "./faults/identityFaults.ts"
import { lenderFaults } from "./faults/lenderFaults.ts"
import { lenderPortFaults } from "./faults/lenderPortFaults.ts"
import { partnerFaults } from "./faults/partnerFaults.ts"
import { passwordFaults } from "./faults/passwordFaults.ts"
import { suiteOfLender } from "./faults/suiteOfLender.ts"
import { transactionFaults } from "./faults/transactionFaults.ts"
import { webhookFaults } from "./faults/webhookFaults.ts"
import { workFaults } from "./faults/workFaults.ts"
import { collectCases, runCases } from "./runCases.ts"

const faults: ReadonlyArray<Fault> = [
  ...partnerFaults,
  ...hierarchyFaults,
  ...transactionFaults,
  ...eventFaults,
  ...identityFaults,
  ...passwordFaults,
  ...applicationFaults,
  ...commissionFaults,
  ...lenderFaults,
  ...lenderPortFaults,
  ...webhookFaults,
  ...workFaults
]

/** The timeout of a case, in milliseconds. A case that waits for a lost job fails when it expires. */
const timeout = 2_000

// A failing example is not shrunk, because nobody reads it.
const settings = fc.readConfigureGlobal()
beforeAll(() => fc.configureGlobal({ ...settings, endOnFailure: true }))
afterAll(() => fc.configureGlobal(settings))

describe.concurrent("contract suites over broken adapters", () => {
  for (const { detectedBy, fault, suite } of faults) {
    it.live(`detect the fault: ${fault}`, () =>
      Effect.gen(function*() {
        const collected = collectCases(suite)
        const cases = collected.cases.filter(({ name }) => detectedBy.test(name))
        assert.isNotEmpty(cases, `No case is named ${detectedBy}.`)
        const failures = yield* runCases({ ...collected, cases }, { timeout, stopAtFirstFailure: true })
        assert.isNotEmpty(failures, `All cases passed: ${cases.map(({ name }) => name).join("; ")}`)
      }), 120_000)
  }

  // That the suites pass over the in-memory fakes is tested by memory.test.ts.
  it.live("pass over a lender with every outcome", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* runCases(collectCases(suiteOfLender(() => ({})))), [])
    }), 120_000)
})
