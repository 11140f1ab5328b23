import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { parseUf, ufs } from "../../src/values/Address.ts"
import { almostDocuments, checkParseIdempotent, expectParsed, expectRejected } from "./parsing.ts"

const letters = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ")

describe("Uf", () => {
  it("DOC-14 of all pairs of letters, accepts exactly the 27 codes, in any letter case", () => {
    const accepted = letters.flatMap((one) => letters.map((other) => one + other)).filter((pair) =>
      Result.isSuccess(parseUf(pair))
    )
    assert.deepStrictEqual(accepted, [...ufs])
    assert.strictEqual(ufs.length, 27)
    for (const uf of ufs) for (const text of [uf, uf.toLowerCase(), ` ${uf}\n`]) expectParsed(parseUf, text, uf)
    expectParsed(parseUf, "sP", "SP")
  })

  it("DOC-14 anything else is an UNKNOWN_VALUE", () => {
    for (const text of ["", "S", "SPP", "XX", "S P", "ſP", "São Paulo", "ＳＰ", "constructor"]) {
      expectRejected(parseUf, text, "UNKNOWN_VALUE")
    }
  })

  it("DOC-14 a parsed UF parses to itself", () =>
    checkParseIdempotent(
      parseUf,
      fc.oneof(almostDocuments, fc.string({ unit: fc.constantFrom(..."spRJmgſ "), maxLength: 3 }))
    ))
})
