import { assert, describe, it } from "@effect/vitest"
import { pix } from "@lastro/testkit/arbitraries"
import { Result, Schema } from "effect"
import * as fc from "fast-check"
import { decode } from "../../src/input/decode.ts"
import { maskPix, maskPixKey, Pix } from "../../src/values/Pix.ts"

const decodePix = decode(Pix)

const problems = (input: unknown): ReadonlyArray<unknown> =>
  Result.match(decodePix(input), {
    onFailure: (failed) => failed.problems.map(({ code, field }) => [field, code]),
    onSuccess: () => []
  })

describe("Pix", () => {
  it("DOC-15 the type determines how the key is parsed", () => {
    assert.deepStrictEqual<unknown>(
      decodePix({ key: "(11) 91234-5684", type: "PHONE" }),
      Result.succeed({ key: "+5511912345684", type: "PHONE" })
    )
    assert.deepStrictEqual<unknown>(
      decodePix({ key: "119.123.456-84", type: "CPF" }),
      Result.succeed({ key: "11912345684", type: "CPF" })
    )
  })

  it("DOC-15 a problem with the key is reported on the key", () => {
    assert.deepStrictEqual(problems({ key: "52998224724", type: "CPF" }), [["key", "INVALID_CHECK_DIGIT"]])
    assert.deepStrictEqual(problems({ key: "", type: "EVP" }), [["key", "INVALID_FORMAT"]])
    assert.deepStrictEqual(problems({ key: 52998224725, type: "CPF" }), [["key", "INVALID_TYPE"]])
    assert.deepStrictEqual(problems({ key: null, type: "CPF" }), [["key", "NOT_NULLABLE"]])
  })

  it("DOC-15 requires key and type, rejects unknown fields and reports all problems at once", () => {
    assert.deepStrictEqual(problems({}), [["key", "REQUIRED"], ["type", "REQUIRED"]])
    assert.deepStrictEqual(problems({ key: "52998224725" }), [["type", "REQUIRED"]])
    assert.deepStrictEqual(problems({ type: "CPF" }), [["key", "REQUIRED"]])
    assert.deepStrictEqual(problems({ key: 1, type: "cpf" }), [["key", "INVALID_TYPE"], ["type", "UNKNOWN_VALUE"]])
    assert.deepStrictEqual(problems({ key: "52998224725", type: null }), [["type", "NOT_NULLABLE"]])
    assert.deepStrictEqual(problems({ key: "52998224725", type: "CPF", bank: "341" }), [["bank", "UNKNOWN_FIELD"]])
    assert.deepStrictEqual(problems([]), [["", "INVALID_TYPE"]])
  })

  it("DOC-15 a decoded PIX decodes and encodes to itself", () => {
    fc.assert(
      fc.property(pix, (value) => {
        assert.deepStrictEqual(decodePix(value), Result.succeed(value))
        assert.deepStrictEqual(Schema.encodeSync(Pix)(value), value)
        assert.isTrue(Schema.is(Schema.toType(Pix))(value))
      }),
      { numRuns: 1_000 }
    )
    assert.isFalse(Schema.is(Schema.toType(Pix))({ key: "529.982.247-25", type: "CPF" }))
  })

  it("DOC-25 a masked PIX shows the type, and nothing of a key that is a CPF or CNPJ", () => {
    fc.assert(fc.property(pix, (value) => {
      const isDocument = value.type === "CPF" || value.type === "CNPJ"
      assert.deepStrictEqual(maskPix(value), { key: isDocument ? "****" : maskPixKey(value.key), type: value.type })
    }))
  })
})
