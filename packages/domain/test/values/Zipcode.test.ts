import { describe, it } from "@effect/vitest"
import { zipcode } from "@lastro/testkit/arbitraries"
import * as fc from "fast-check"
import { parseZipcode } from "../../src/values/Address.ts"
import { almostDocuments, checkParseIdempotent, expectParsed, expectRejected, punctuated } from "./parsing.ts"

describe("Zipcode", () => {
  it("DOC-12 a CEP is eight digits; punctuation is dropped", () => {
    expectParsed(parseZipcode, "01310-100", "01310100")
    expectParsed(parseZipcode, " 01.310-100 ", "01310100")
    fc.assert(fc.property(punctuated(zipcode, ".- "), ([written, value]) => expectParsed(parseZipcode, written, value)))
    for (
      const text of ["", "0131010", "013101000", "01310-10a", "01310_100", "-01310100", "01310/100", "０１３１０１００"]
    ) {
      expectRejected(parseZipcode, text, "INVALID_FORMAT")
    }
  })

  it("DOC-12 a parsed CEP parses to itself", () => checkParseIdempotent(parseZipcode, almostDocuments))
})
