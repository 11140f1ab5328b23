import { assert, describe, it } from "@effect/vitest"
import { address, bankAccount, cnpj, cpf, phone, uf, zipcode } from "@lastro/testkit/arbitraries"
import { Result, Schema } from "effect"
import * as fc from "fast-check"
import { Address, Uf, Zipcode } from "../../src/values/Address.ts"
import { BankAccount } from "../../src/values/BankAccount.ts"
import { Cnpj } from "../../src/values/Cnpj.ts"
import { Cpf } from "../../src/values/Cpf.ts"
import { DocumentNumber } from "../../src/values/DocumentNumber.ts"
import { Email } from "../../src/values/Email.ts"
import { Phone } from "../../src/values/Phone.ts"
import { Pix } from "../../src/values/Pix.ts"
import { almostDocuments, punctuated } from "./parsing.ts"

const documentOf = (schema: Schema.Constraint) =>
  Schema.toJsonSchemaDocument(schema, {
    onExcessProperty: "error",
    includeAnnotationKey: (key) => ["pattern", "minLength", "maxLength"].includes(key)
  })

describe("JSON schemas of documents", () => {
  it("only records and enumerations are named", () => {
    const everything = Schema.Struct({
      address: Address,
      bank_account: BankAccount,
      pix: Schema.NullOr(Pix),
      cpf: Cpf,
      cnpj: Cnpj,
      document_number: DocumentNumber,
      email: Email,
      phone: Phone,
      uf: Uf,
      zipcode: Zipcode
    })
    const { definitions } = documentOf(everything)
    assert.deepStrictEqual(Object.keys(definitions).toSorted(), [
      "AccountType",
      "Address",
      "BankAccount",
      "Pix",
      "PixKeyType"
    ])
  })

  it("fields that default to null are optional; all others are required", () => {
    assert.deepStrictEqual(documentOf(Address).definitions["Address"]?.["required"], [
      "zipcode",
      "uf",
      "city",
      "neighborhood",
      "street",
      "number"
    ])
    assert.deepStrictEqual(documentOf(BankAccount).definitions["BankAccount"]?.["required"], [
      "type",
      "agency",
      "bank_code",
      "account_number"
    ])
    assert.deepStrictEqual(documentOf(Pix).definitions["Pix"]?.["required"], ["key", "type"])
  })

  it("the length bounds of a text are published", () => {
    for (const [schema, minLength, maxLength] of [[Address.fields.city, 1, 100], [Email, 3, 254]] as const) {
      const { schema: json } = documentOf(schema)
      assert.deepStrictEqual([json["minLength"], json["maxLength"]], [minLength, maxLength])
    }
  })

  it("every text schema has a description and canonical examples", () => {
    for (const schema of [Cpf, Cnpj, DocumentNumber, Email, Phone, Uf, Zipcode]) {
      const { schema: json } = documentOf(schema)
      assert.strictEqual(json["type"], "string")
      assert.isString(json["description"])
      const examples = json["examples"] as ReadonlyArray<string>
      assert.isNotEmpty(examples)
      for (const example of examples) {
        assert.deepStrictEqual<unknown>(Schema.decodeUnknownResult(schema)(example), Result.succeed(example))
      }
    }
  })

  it("every parsed value matches the published pattern", () => {
    const cases: ReadonlyArray<readonly [Schema.Codec<string, string>, fc.Arbitrary<string>]> = [
      [Cpf, punctuated(cpf, ".-/ ").map(([written]) => written)],
      [Cnpj, punctuated(cnpj, ".-/ ").map(([written]) => written.toLowerCase())],
      [Phone, punctuated(phone, ".-/ ()").map(([written]) => written)],
      [Zipcode, punctuated(zipcode, ".- ").map(([written]) => written)],
      [Uf, uf.map((code) => ` ${code.toLowerCase()}`)],
      [BankAccount.fields.bank_code, bankAccount.map((account) => ` ${account.bank_code}`)],
      [BankAccount.fields.agency, bankAccount.map((account) => account.agency)],
      [BankAccount.fields.account_number, bankAccount.map((account) => account.account_number)],
      [Address.fields.zipcode, address.map((one) => one.zipcode)]
    ]
    for (const [schema, written] of cases) {
      const pattern = new RegExp(documentOf(schema).schema["pattern"] as string, "u")
      const accepts = (text: string): boolean => Result.isSuccess(Schema.decodeResult(schema)(text))
      fc.assert(fc.property(written, (text) => {
        assert.isTrue(accepts(text))
        assert.match(text, pattern)
      }))
      fc.assert(fc.property(almostDocuments, (text) => assert.isTrue(!accepts(text) || pattern.test(text), text)))
    }
  })
})
