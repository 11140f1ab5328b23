import { assert, describe, it } from "@effect/vitest"
import { decode, parseText } from "@lastro/domain/input"
import { Address, BankAccount, Cnpj, Cpf, Email, Phone, Pix, PixKeyType, Uf, Zipcode } from "@lastro/domain/values"
import { Result, type Schema } from "effect"
import * as fc from "fast-check"
import {
  address,
  alphanumericCnpj,
  bankAccount,
  cnpj,
  cpf,
  email,
  numericCnpj,
  personName,
  phone,
  pix,
  problematicText,
  uf,
  zipcode
} from "../../src/arbitraries/documents.ts"

const assertCanonical = <A>(values: fc.Arbitrary<A>, schema: Schema.ConstraintDecoder<unknown>): void => {
  const parse = decode(schema)
  fc.assert(fc.property(values, (value) => assert.deepStrictEqual<unknown>(parse(value), Result.succeed(value))), {
    numRuns: 500
  })
}

describe("arbitraries of documents", () => {
  it("every value is canonical", () => {
    assertCanonical(cpf, Cpf)
    assertCanonical(cnpj, Cnpj)
    assertCanonical(uf, Uf)
    assertCanonical(zipcode, Zipcode)
    assertCanonical(phone, Phone)
    assertCanonical(email, Email)
    assertCanonical(pix, Pix)
    assertCanonical(bankAccount, BankAccount)
    assertCanonical(address, Address)
  })

  it("text is canonical, within its bounds and storable", () => {
    for (const [values, max] of [[problematicText, 100], [personName, 120]] as const) {
      const parse = parseText({ min: 2, max })
      fc.assert(
        fc.property(values, (value) => {
          assert.deepStrictEqual(parse(value), Result.succeed(value))
          assert.notMatch(value, /[\p{Cc}\p{Cs}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u)
        }),
        { numRuns: 2_000 }
      )
    }
  })

  it("every kind of value occurs", () => {
    const occurs = <A>(values: fc.Arbitrary<A>, matches: (value: A) => boolean): boolean =>
      fc.sample(values, { numRuns: 2_000, seed: 1 }).some(matches)
    for (const type of PixKeyType.literals) assert.isTrue(occurs(pix, (one) => one.type === type), type)
    for (const length of [10, 11]) assert.isTrue(occurs(phone, (one) => one.length === length))
    for (const digits of [/^\d{14}$/, /[A-Z]/]) assert.isTrue(occurs(cnpj, (one) => digits.test(one)))
    assert.isFalse(occurs(numericCnpj, (one) => /[A-Z]/.test(one)))
    assert.isFalse(occurs(alphanumericCnpj, (one) => /^\d*$/.test(one)))
    assert.isTrue(
      occurs(bankAccount, (one) => one.account_digit === null) && occurs(bankAccount, (one) => one.agency_digit === "X")
    )
    assert.isTrue(
      occurs(address, (one) => one.complement === null) && occurs(address, (one) => one.complement !== null)
    )
    assert.isTrue(occurs(email, (one) => /[^!-~]/.test(one)) && occurs(email, (one) => /[A-Z]/.test(one)))
    for (const script of [/\p{M}/u, /[\u{10000}-\u{10ffff}]/u, /'/, /[çãé]/]) {
      assert.isTrue(occurs(personName, (one) => script.test(one)))
    }
  })
})
