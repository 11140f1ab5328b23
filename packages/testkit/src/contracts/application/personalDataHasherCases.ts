import { PersonalDataHasher } from "@lastro/domain"
import { assert } from "chai"
import { Effect } from "effect"
import * as fc from "fast-check"
import { nastyText } from "../../arbitraries/paging.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { forAll, propertyTimeout } from "../suite/forAll.ts"

/** The contract of PersonalDataHasher, as far as it can be told from outside: that its key is secret cannot. */
export const personalDataHasherCases: ContractCases<PersonalDataHasher> = (it, { runs }) => {
  it("the same text has the same hash, and another text another", () =>
    forAll(
      fc.tuple(nastyText, nastyText),
      runs,
      Effect.fnUntraced(function*([one, other]) {
        const { hash } = yield* PersonalDataHasher
        assert.strictEqual(yield* hash(one), yield* hash(one))
        assert.strictEqual((yield* hash(one)) === (yield* hash(other)), one === other)
      })
    ), propertyTimeout)

  it("T33 T45 a hash holds nothing of the text, and is short however long that is", () =>
    Effect.gen(function*() {
      const { hash } = yield* PersonalDataHasher
      const texts = ["529.982.247-25", "[\"PIX\",{\"type\":\"CPF\",\"key\":\"52998224725\"},null]", "1".repeat(100_000)]
      for (const text of texts) {
        const hashed = yield* hash(text)
        assert.notInclude(hashed, "52998224725")
        assert.notInclude(hashed, text)
        assert.isAbove(hashed.length, 0)
        assert.isAtMost(hashed.length, 128)
      }
    }))

  it("texts that differ by a character, or by its form only, have different hashes", () =>
    Effect.gen(function*() {
      const { hash } = yield* PersonalDataHasher
      const texts = ["", " ", "52998224725", "52998224726", "José", "Jose\u0301", "jose"]
      const hashes = yield* Effect.forEach(texts, hash)
      assert.strictEqual(new Set(hashes).size, texts.length)
    }))
}
