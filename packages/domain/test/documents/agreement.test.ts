import { isValidCnpj, isValidCpf } from "@brazilian-utils/brazilian-utils"
import { assert, describe, it } from "@effect/vitest"
import { alphanumericCnpj, cpf, numericCnpj } from "@lastro/testkit/arbitraries"
import { cnpj as cnpjValidator, cpf as cpfValidator } from "cpf-cnpj-validator"
import { Result } from "effect"
import * as fc from "fast-check"
import { isCNPJ, isCPF } from "validation-br"
import { parseCnpj } from "../../src/documents/Cnpj.ts"
import { parseCpf } from "../../src/documents/Cpf.ts"

type Accepts = (text: string) => boolean

const judges = {
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
 * All three judge every input below as we do: there is no disagreement to list. Should a release of one of them bring
 * some, name the text, the library and who is right here, and expect exactly that.
 */
const agrees = (kind: keyof typeof judges) => (text: string): void => {
  const { ours, ...theirs } = judges[kind]
  const verdict = ours(text)
  const dissenting = Object.entries(theirs).filter(([, accepts]) => accepts(text) !== verdict).map(([name]) => name)
  assert.deepStrictEqual(dissenting, [], `${text} is ${verdict ? "accepted" : "refused"} by us, not by these`)
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

const exhaustively = (text: string, check: (text: string) => void): void => {
  for (let position = 0; position < text.length; position++) {
    for (const digit of digits) check(text.slice(0, position) + digit + text.slice(position + 1))
  }
}

describe("agreement with cpf-cnpj-validator, brazilian-utils and validation-br", () => {
  it("DOC-01 all three libraries and Lastro agree on CPFs", () => {
    fc.assert(fc.property(inputs(cpf, digits, 11), agrees("cpf")), { numRuns: 10_000 })
    for (const digit of digits) exhaustively(digit.repeat(11), agrees("cpf"))
    exhaustively("52998224725", agrees("cpf"))
  })

  it("DOC-03 all three libraries and Lastro agree on numeric CNPJs", () => {
    fc.assert(fc.property(inputs(numericCnpj, digits, 14), agrees("cnpj")), { numRuns: 10_000 })
    for (const digit of digits) exhaustively(digit.repeat(14), agrees("cnpj"))
    exhaustively("11222333000181", agrees("cnpj"))
  })

  it("DOC-03 all three libraries and Lastro agree on alphanumeric CNPJs", () => {
    fc.assert(fc.property(inputs(alphanumericCnpj, digitsAndLetters, 14), agrees("cnpj")), { numRuns: 10_000 })
  })
})
