import { describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { parseUuid } from "../../src/values/Uuid.ts"
import { checkParseIdempotent, expectParsed, expectRejected } from "./parsing.ts"

const id = "0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f40"

describe("Uuid", () => {
  it("ID-01 T24 letter case does not distinguish ids", () => {
    expectParsed(parseUuid, id, id)
    expectParsed(parseUuid, id.toUpperCase(), id)
    fc.assert(fc.property(fc.uuid(), (uuid) => expectParsed(parseUuid, uuid.toUpperCase(), uuid)))
  })

  it("ID-01 T24 any other notation is an INVALID_FORMAT", () => {
    const wrong = [
      "",
      `{${id}}`,
      `urn:uuid:${id}`,
      id.replaceAll("-", ""),
      id.replaceAll("-", "_"),
      ` ${id}`,
      `${id}\n`,
      `${id.slice(0, -1)}g`,
      id.slice(0, -1),
      `${id}0`,
      `${id.slice(0, -1)}\u0000`,
      "0197f3a25b1c7d3e8f4a-9b0c1d2e3f40----",
      "０197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f40"
    ]
    for (const text of wrong) expectRejected(parseUuid, text, "INVALID_FORMAT")
  })

  it("ID-01 a parsed UUID parses to itself", () => {
    checkParseIdempotent(
      parseUuid,
      fc.oneof(
        fc.uuid(),
        fc.string({ unit: fc.constantFrom(..."0123456789abcdefABCDEF-İK"), minLength: 34, maxLength: 37 })
      )
    )
  })
})
