import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import * as fc from "fast-check"
import { proposalNumber } from "../../src/loan/ProposalNumber.ts"

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
const randomText = fc.string({ unit: fc.constantFrom(...alphabet), minLength: 10, maxLength: 43 })

const numberOf = (text: string): string => proposalNumber(Redacted.make(text))

describe("proposalNumber", () => {
  it("PROP-02 is ten characters of Crockford's base 32, without ambiguous characters", () => {
    fc.assert(fc.property(randomText, (text) => assert.match(numberOf(text), /^[0-9A-HJKMNP-TV-Z]{10}$/)), {
      numRuns: 1_000
    })
  })

  it("PROP-02 every character is equally likely and depends on one input character", () => {
    const drawn = Array.from(alphabet, (character) => numberOf(character.repeat(10)))
    const counts = Map.groupBy(drawn, (number) => number)
    assert.strictEqual(counts.size, 32)
    for (const [number, same] of counts) {
      assert.strictEqual(same.length, 2)
      assert.strictEqual(new Set(number).size, 1)
    }
    fc.assert(fc.property(randomText, (text) => {
      assert.strictEqual(numberOf(text), Array.from(text.slice(0, 10), (one) => numberOf(one.repeat(10))[0]).join(""))
    }))
  })

  it("PROP-02 plain and redacted input give the same number", () => {
    fc.assert(fc.property(randomText, (text) => assert.strictEqual(proposalNumber(text), numberOf(text))))
  })

  it("PROP-02 skips characters outside base64url and dies if the randomness is too short", () => {
    assert.strictEqual(numberOf("abc=def.ghi j+/"), numberOf("abcdefghij"))
    for (const text of ["", "abcdefghi", "..........", "abcdefghi="]) assert.throws(() => numberOf(text), RangeError)
  })
})
