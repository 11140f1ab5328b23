import { assert, describe, it } from "@effect/vitest"
import {
  Address,
  BankAccount,
  Cnpj,
  Cpf,
  decode,
  Email,
  parseText,
  Phone,
  Pix,
  PixKeyType,
  Uf,
  Zipcode
} from "@lastro/domain"
import { Result, type Schema } from "effect"
import * as fc from "fast-check"
import {
  address,
  alphanumericCnpj,
  bankAccount,
  cnpj,
  cpf,
  email,
  naughtyText,
  numericCnpj,
  personName,
  phone,
  pix,
  uf,
  zipcode
} from "../../src/arbitraries/documents.ts"

const isCanonical = <A>(values: fc.Arbitrary<A>, schema: Schema.ConstraintDecoder<unknown>): void => {
  const read = decode(schema)
  fc.assert(fc.property(values, (value) => assert.deepStrictEqual<unknown>(read(value), Result.succeed(value))), {
    numRuns: 500
  })
}

describe("arbitraries of documents", () => {
  it("every value is in its canonical form", () => {
    isCanonical(cpf, Cpf)
    isCanonical(cnpj, Cnpj)
    isCanonical(uf, Uf)
    isCanonical(zipcode, Zipcode)
    isCanonical(phone, Phone)
    isCanonical(email, Email)
    isCanonical(pix, Pix)
    isCanonical(bankAccount, BankAccount)
    isCanonical(address, Address)
  })

  it("texts are canonical, within their bounds and fit for every store", () => {
    for (const [values, max] of [[naughtyText, 100], [personName, 120]] as const) {
      const read = parseText({ min: 2, max })
      fc.assert(
        fc.property(values, (value) => {
          assert.deepStrictEqual(read(value), Result.succeed(value))
          assert.notMatch(value, /[\p{Cc}\p{Cs}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u)
        }),
        { numRuns: 2_000 }
      )
    }
  })

  it("no kind of value is left out", () => {
    const seen = <A>(values: fc.Arbitrary<A>, holds: (value: A) => boolean): boolean =>
      fc.sample(values, { numRuns: 2_000, seed: 1 }).some(holds)
    for (const type of PixKeyType.literals) assert.isTrue(seen(pix, (one) => one.type === type), type)
    for (const length of [10, 11]) assert.isTrue(seen(phone, (one) => one.length === length))
    for (const digits of [/^\d{14}$/, /[A-Z]/]) assert.isTrue(seen(cnpj, (one) => digits.test(one)))
    assert.isFalse(seen(numericCnpj, (one) => /[A-Z]/.test(one)))
    assert.isFalse(seen(alphanumericCnpj, (one) => /^\d*$/.test(one)))
    assert.isTrue(
      seen(bankAccount, (one) => one.account_digit === null) && seen(bankAccount, (one) => one.agency_digit === "X")
    )
    assert.isTrue(seen(address, (one) => one.complement === null) && seen(address, (one) => one.complement !== null))
    assert.isTrue(seen(email, (one) => /[^!-~]/.test(one)) && seen(email, (one) => /[A-Z]/.test(one)))
    for (const script of [/\p{M}/u, /[\u{10000}-\u{10ffff}]/u, /'/, /[çãé]/]) {
      assert.isTrue(seen(personName, (one) => script.test(one)))
    }
  })
})
