import { describe, it } from "@effect/vitest"
import { parseName } from "../../src/values/Name.ts"
import { expectParsed, expectRejected } from "./parsing.ts"

describe("Name", () => {
  it("DOC-28 a name has a letter or a digit; blanks, marks and symbols are no name", () => {
    for (const name of ["Zé", "99", "O 1", "山田", "A-"]) expectParsed(parseName, name, name)
    for (const blank of ["\u2800\u2800", "--", "\u0301\u0301", "\u2800 \u2800", "!?"]) {
      expectRejected(parseName, blank, "INVALID_FORMAT")
    }
    expectRejected(parseName, " A ", "TOO_SHORT")
  })
})
