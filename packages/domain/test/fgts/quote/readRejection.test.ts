import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { readRejection, rejectionCodes, rejectionReason } from "../../../src/fgts/quote/RejectionReason.ts"
import { noon } from "../examples.ts"

describe("readRejection", () => {
  it("LENDER-04 known codes are kept", () => {
    for (const code of rejectionCodes) {
      assert.deepStrictEqual(readRejection(code, "Não.", noon), rejectionReason(code, "Não.", noon))
    }
  })

  it("LENDER-04 any other code is LENDER_POLICY with the lender's message", () => {
    const foreign = fc.oneof(fc.string(), fc.constantFrom("toString", "__proto__", "constructor", "no_balance", ""))
      .filter((code) => !rejectionCodes.some((known) => known === code))
    fc.assert(fc.property(foreign, fc.string(), (code, message) => {
      const read = readRejection(code, message, noon)
      assert.deepStrictEqual(read, rejectionReason("LENDER_POLICY", message))
      assert.isFalse(read.retryable)
    }))
  })
})
