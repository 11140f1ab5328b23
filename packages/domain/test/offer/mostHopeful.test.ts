import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { mostHopeful, rejectionCodes, rejectionReason } from "../../src/offer/RejectionReason.ts"
import { msAfter } from "../loan/examples.ts"

const kinds = ["CUSTOMER_ACTION", "TEMPORARY", "UPSTREAM", "FINAL"]

const rejections = fc.array(
  fc.tuple(fc.constantFrom(...rejectionCodes), fc.option(fc.nat({ max: 3 })), fc.nat({ max: 9 })).map((
    [code, wait, number]
  ) => rejectionReason(code, `${number}`, wait === null ? null : msAfter(wait))),
  { minLength: 1, maxLength: 6 }
)

describe("mostHopeful", () => {
  it("FGTS-43 the customer's own action comes first, then the earliest retry, then an outage, then a final reason", () => {
    assert.isUndefined(mostHopeful([]))
    fc.assert(fc.property(rejections, (all) => {
      const found = mostHopeful(all)
      if (found === undefined) throw new Error("one of the rejections")
      const kind = kinds.find((kind) => all.some((one) => one.kind === kind))
      const ofKind = all.filter((one) => one.kind === kind)
      const times = ofKind.map(({ retry_at }) => retry_at ?? "").toSorted()
      assert.strictEqual(found, ofKind.find(({ retry_at }) => (retry_at ?? "") === times[0]))
    }))
  })
})
