import { isValidCnpj, isValidCpf } from "@brazilian-utils/brazilian-utils"
import { assert, describe, it } from "@effect/vitest"
import { alphanumericCnpj, cpf, numericCnpj } from "@lastro/testkit/arbitraries"
import { cnpj as cnpjValidator, cpf as cpfValidator } from "cpf-cnpj-validator"
import { Result } from "effect"
import * as fc from "fast-check"
import { isCNPJ, isCPF } from "validation-br"
import { parseCnpj } from "../../src/values/Cnpj.ts"
import { parseCpf } from "../../src/values/Cpf.ts"

type Accepts = (text: string) => boolean

const validators = {
  cpf: {
    ours: (text: string) => Result.isSuccess(parseCpf(text)),
    "cpf-cnpj-validator": cpfValidator.isValid,
    isValidCpf,
    isCPF
  },
  cnpj: {
    ours: (text: string) => Result.isSuccess(parseCnpj(text)),
    "cpf-cnpj-validator": (text: string) => cnpjValidator.isValid(text),
    isValidCnpj: (text: string) => isValidCnpj(text, { version: 2 }),
    isCNPJ
  }
} satisfies Record<string, Record<string, Accepts>>

/**
 * All three libraries agree with ours on every input below. If a release of one of them disagrees, list the text, the library
 * and the correct result here, and expect exactly that.
 */
const checkAgreement = (kind: keyof typeof validators) => (text: string): void => {
  const { ours, ...theirs } = validators[kind]
  const expected = ours(text)
  const disagreeing = Object.entries(theirs).filter(([, accepts]) => accepts(text) !== expected).map(([name]) => name)
  assert.deepStrictEqual(disagreeing, [], `${text} is ${expected ? "accepted" : "rejected"} by Lastro but not by these`)
}

const digits = "0123456789"
const digitsAndLetters = `${digits}ABCDEFGHIJKLMNOPQRSTUVWXYZ`

/** Valid numbers, valid ones with a wrong character, of the right and other lengths, and of one repeated character. */
const inputs = (valid: fc.Arbitrary<string>, alphabet: string, length: number): fc.Arbitrary<string> => {
  const character = fc.constantFrom(...alphabet)
  return fc.oneof(
    valid,
    fc.tuple(valid, fc.nat({ max: length - 1 }), character)
      .map(([text, position, other]) => text.slice(0, position) + other + text.slice(position + 1)),
    fc.string({ unit: character, minLength: length, maxLength: length }),
    fc.string({ unit: character, maxLength: length + 4 }),
    fc.tuple(character, fc.integer({ min: length - 1, max: length + 1 })).map(([one, count]) => one.repeat(count))
  )
}

const checkEveryDigit = (text: string, check: (text: string) => void): void => {
  for (let position = 0; position < text.length; position++) {
    for (const digit of digits) check(text.slice(0, position) + digit + text.slice(position + 1))
  }
}

describe("agreement with cpf-cnpj-validator, brazilian-utils and validation-br", () => {
  it("DOC-01 all three libraries and Lastro agree on CPFs", () => {
    fc.assert(fc.property(inputs(cpf, digits, 11), checkAgreement("cpf")), { numRuns: 3_000 })
    for (const digit of digits) checkEveryDigit(digit.repeat(11), checkAgreement("cpf"))
    checkEveryDigit("52998224725", checkAgreement("cpf"))
  })

  it("DOC-03 all three libraries and Lastro agree on numeric CNPJs", () => {
    fc.assert(fc.property(inputs(numericCnpj, digits, 14), checkAgreement("cnpj")), { numRuns: 3_000 })
    for (const digit of digits) checkEveryDigit(digit.repeat(14), checkAgreement("cnpj"))
    checkEveryDigit("11222333000181", checkAgreement("cnpj"))
  })

  it("DOC-03 all three libraries and Lastro agree on alphanumeric CNPJs", () => {
    fc.assert(fc.property(inputs(alphanumericCnpj, digitsAndLetters, 14), checkAgreement("cnpj")), { numRuns: 3_000 })
  })
})
