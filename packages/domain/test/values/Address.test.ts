import { assert, describe, it } from "@effect/vitest"
import { address } from "@lastro/testkit/arbitraries"
import { Result, Schema } from "effect"
import * as fc from "fast-check"
import { decode } from "../../src/input/decode.ts"
import { Address } from "../../src/values/Address.ts"

const decodeAddress = decode(Address)

const written = {
  zipcode: "01310-100",
  uf: "sp",
  city: " Sa\u0303o Paulo ",
  neighborhood: "Bela Vista",
  street: "Avenida Paulista",
  number: "1578"
}

const read = { ...written, zipcode: "01310100", uf: "SP", city: "São Paulo", district: null, complement: null }

const problems = (input: unknown): ReadonlyArray<unknown> =>
  Result.match(decodeAddress(input), {
    onFailure: (failed) => failed.problems.map(({ code, field }) => [field, code]),
    onSuccess: () => []
  })

describe("Address", () => {
  it("parses an address field by field; a missing district or complement becomes null", () => {
    assert.deepStrictEqual<unknown>(decodeAddress(written), Result.succeed(read))
    assert.deepStrictEqual<unknown>(
      decodeAddress({ ...written, district: null, complement: null }),
      Result.succeed(read)
    )
    assert.deepStrictEqual<unknown>(
      decodeAddress({ ...written, district: "Centro", complement: " Apto 42" }),
      Result.succeed({ ...read, district: "Centro", complement: "Apto 42" })
    )
  })

  it("requires every other field to be present and not null, and reports all problems at once", () => {
    const required = ["zipcode", "uf", "city", "neighborhood", "street", "number"]
    assert.deepStrictEqual(problems({}), required.map((field) => [field, "REQUIRED"]))
    assert.deepStrictEqual(
      problems(Object.fromEntries(required.map((field) => [field, null]))),
      required.map((field) => [field, "NOT_NULLABLE"])
    )
    assert.deepStrictEqual(
      problems({
        zipcode: "0131010",
        uf: "XX",
        city: "",
        district: "\u0000",
        neighborhood: "a\nb",
        street: "a".repeat(201),
        number: "1".repeat(21),
        complement: "  ",
        country: "BR"
      }),
      [
        ["country", "UNKNOWN_FIELD"],
        ["zipcode", "INVALID_FORMAT"],
        ["uf", "UNKNOWN_VALUE"],
        ["city", "TOO_SHORT"],
        ["district", "INVALID_FORMAT"],
        ["neighborhood", "INVALID_FORMAT"],
        ["street", "TOO_LONG"],
        ["number", "TOO_LONG"],
        ["complement", "TOO_SHORT"]
      ]
    )
  })

  it("a decoded address decodes and encodes to itself", () => {
    fc.assert(fc.property(address, (value) => {
      assert.deepStrictEqual(decodeAddress(value), Result.succeed(value))
      assert.deepStrictEqual(Schema.encodeSync(Address)(value), value)
    }))
  })
})
