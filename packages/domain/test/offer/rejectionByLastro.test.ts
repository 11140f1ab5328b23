import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { ownRejectionOf, ownRejections, rejectionByLastro } from "../../src/offer/rejectionByLastro.ts"
import { rejectionCodes, rejectionReason } from "../../src/offer/RejectionReason.ts"

describe("rejectionByLastro", () => {
  it("FGTS-44 every rejection by Lastro is recognized by its code and its stored message", () => {
    for (const name of ownRejections) assert.strictEqual(ownRejectionOf(rejectionByLastro(name)), name)
  })

  it("FGTS-44 rejections that were stored before are recognized too", () => {
    const stored = [
      rejectionReason("FEES_EXCEED_PRINCIPAL", "Costs exceed the financed value."),
      rejectionReason("LENDER_POLICY", "The lender's offer does not comply with the rules in force."),
      rejectionReason("LENDER_POLICY", "The lender has no table for this customer."),
      rejectionReason("LENDER_POLICY", "The lender refused the contract."),
      rejectionReason("CUSTOMER_CANCELLED", "The contract was cancelled."),
      rejectionReason("DISBURSEMENT_FAILED", "The payment failed."),
      rejectionReason("UPSTREAM_UNAVAILABLE", "The lender did not answer.")
    ]
    for (const one of stored) assert.isDefined(ownRejectionOf(one), one.message)
  })

  it("FGTS-44 a message of the lender is not one of Lastro's", () => {
    fc.assert(fc.property(fc.constantFrom(...rejectionCodes), fc.string(), (code, message) => {
      assert.isUndefined(ownRejectionOf({ code, message }))
    }))
    assert.isUndefined(ownRejectionOf({ code: "NO_BALANCE", message: "The lender did not answer." }))
  })
})
