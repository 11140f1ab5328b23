import { assert, describe, it } from "@effect/vitest"
import { email, illFormedText, phone, pix, pixKey } from "@lastro/testkit/arbitraries"
import { Result } from "effect"
import * as fc from "fast-check"
import { maskPixKey, parsePixKey, type PixKey, PixKeyType } from "../../src/values/Pix.ts"
import { almostDocuments, checkParseIdempotent, expectParsed, expectRejected, longestShown } from "./parsing.ts"

const types = PixKeyType.literals
const parseFor = (type: PixKeyType) => (input: string) => parsePixKey(type, input)

describe("PixKey", () => {
  it("DOC-15 a key is parsed by its given type, never by its shape", () => {
    expectParsed(parseFor("CPF"), "11912345684", "11912345684")
    expectParsed(parseFor("PHONE"), "11912345684", "+5511912345684")
    expectRejected(parseFor("EMAIL"), "11912345684", "INVALID_FORMAT")
    expectRejected(parseFor("CNPJ"), "11912345684", "INVALID_FORMAT")
    expectRejected(parseFor("EVP"), "11912345684", "INVALID_FORMAT")
  })

  it("DOC-15 CPF and CNPJ keys drop punctuation", () => {
    expectParsed(parseFor("CPF"), "529.982.247-25", "52998224725")
    expectRejected(parseFor("CPF"), "52998224724", "INVALID_CHECK_DIGIT")
    expectParsed(parseFor("CNPJ"), "12.abc.345/01de-35", "12ABC34501DE35")
    expectRejected(parseFor("CNPJ"), "12ABC34501DE36", "INVALID_CHECK_DIGIT")
  })

  it("DOC-15 an e-mail key is lower-case ASCII of at most 77 characters", () => {
    expectParsed(parseFor("EMAIL"), " Maria.Silva@Example.COM ", "maria.silva@example.com")
    const longest = `${"a".repeat(60)}@${"b".repeat(12)}.com`
    assert.strictEqual(longest.length, 77)
    expectParsed(parseFor("EMAIL"), longest, longest)
    expectRejected(parseFor("EMAIL"), `a${longest}`, "TOO_LONG")
    for (const text of ["jos\u00e9@exemplo.com", "\u017fa@b.com", "maria@", "a b@c.com"]) {
      expectRejected(parseFor("EMAIL"), text, "INVALID_FORMAT")
    }
    expectRejected(parseFor("EMAIL"), "", "TOO_SHORT")
  })

  it("DOC-15 a phone key is E.164; a national number gains +55", () => {
    fc.assert(fc.property(phone, (value) => {
      for (const text of [value, `55${value}`, `+55${value}`, `+55 (${value.slice(0, 2)}) ${value.slice(2)}`]) {
        expectParsed(parseFor("PHONE"), text, `+55${value}`)
      }
    }))
    expectParsed(parseFor("PHONE"), "+1 202-555-0143", "+12025550143")
    expectParsed(parseFor("PHONE"), "+123", "+123")
    expectParsed(parseFor("PHONE"), "+1234567890123456", "+1234567890123456")
    for (
      const text of [
        "",
        "+",
        "+12",
        "+12345678901234567",
        "+023456",
        "++551133334444",
        "+55119876543x",
        "0800123456",
        "987654321"
      ]
    ) {
      expectRejected(parseFor("PHONE"), text, "INVALID_FORMAT")
    }
  })

  it("DOC-15 a random key is a lower-case UUID", () => {
    expectParsed(parseFor("EVP"), " 123E4567-E89B-12D3-A456-426655440000 ", "123e4567-e89b-12d3-a456-426655440000")
    const wrong = [
      "",
      "123e4567e89b12d3a456426655440000",
      "{123e4567-e89b-12d3-a456-426655440000}",
      "123e4567-e89b-12d3-a456-42665544000g",
      "123e4567-e89b-12d3-a456-4266554400001"
    ]
    for (const text of wrong) expectRejected(parseFor("EVP"), text, "INVALID_FORMAT")
  })

  it("DOC-15 a parsed key parses to itself", () => {
    for (const type of types) {
      checkParseIdempotent(parseFor(type), fc.oneof(pixKey(type), almostDocuments, email, illFormedText, fc.uuid()))
    }
  })

  it("DOC-16 a masked key shows its last four characters, or nothing if it has four or fewer", () => {
    assert.strictEqual(maskPixKey("52998224725" as PixKey), "****4725")
    assert.strictEqual(maskPixKey("+5511987654321" as PixKey), "****4321")
    assert.strictEqual(maskPixKey("maria.silva@example.com" as PixKey), "****.com")
    assert.strictEqual(maskPixKey("123e4567-e89b-12d3-a456-426655440000" as PixKey), "****0000")
    assert.strictEqual(maskPixKey("+123" as PixKey), "****")
    fc.assert(fc.property(pix, ({ key }) => {
      fc.pre(!key.includes("*"))
      const masked = maskPixKey(key)
      assert.strictEqual(masked, `****${key.length > 4 ? key.slice(-4) : ""}`)
      assert.notInclude(masked, key)
      assert.isAtMost(longestShown(masked, key), 4)
    }))
  })

  it("every type accepts valid keys", () => {
    for (const type of types) {
      fc.assert(fc.property(pixKey(type), (key) => assert.isTrue(Result.isSuccess(parsePixKey(type, key)))))
    }
  })
})
