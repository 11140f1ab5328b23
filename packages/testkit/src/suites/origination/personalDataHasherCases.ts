import { PersonalDataHasher } from "@lastro/domain/audit"
import { assert } from "chai"
import { Effect } from "effect"
import * as fc from "fast-check"
import { unicodeText } from "../../arbitraries/paging.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"

/** Contract cases for PersonalDataHasher. No case checks that the key is secret. */
export const personalDataHasherCases: ContractCases<PersonalDataHasher> = (it) => {
  it.forAll(
    "`hash` is deterministic, and differs for different texts",
    fc.tuple(unicodeText, unicodeText),
    function*([one, other]) {
      const { hash } = yield* PersonalDataHasher
      assert.strictEqual(yield* hash(one), yield* hash(one))
      assert.strictEqual((yield* hash(one)) === (yield* hash(other)), one === other)
    }
  )

  it("T33 T45 `hash` contains no part of the text and has at most 128 characters", function*() {
    const { hash } = yield* PersonalDataHasher
    const texts = ["529.982.247-25", "[\"PIX\",{\"type\":\"CPF\",\"key\":\"52998224725\"},null]", "1".repeat(100_000)]
    for (const text of texts) {
      const hashed = yield* hash(text)
      assert.notInclude(hashed, "52998224725")
      assert.notInclude(hashed, text)
      assert.isAbove(hashed.length, 0)
      assert.isAtMost(hashed.length, 128)
    }
  })

  it("`hash` differs for texts that differ in one character or only in their Unicode normalization form", function*() {
    const { hash } = yield* PersonalDataHasher
    const texts = ["", " ", "52998224725", "52998224726", "José", "Jose\u0301", "jose"]
    const hashes = yield* Effect.forEach(texts, hash)
    assert.strictEqual(new Set(hashes).size, texts.length)
  })
}
