import { type Brand, Result } from "effect"
import { problem } from "../input/FieldProblem.ts"
import { invalidFormat } from "../input/TextFormat.ts"
import { schemaOfParser, type TextParser } from "../input/textParser.ts"
import { checkDigit } from "./checkDigit.ts"

/** The taxpayer number of a natural person (CPF): nine digits and two check digits. */
export type Cpf = string & Brand.Brand<"Cpf">

const shape = /^\d(?:[ ./-]*\d){10}$/
const punctuation = /[ ./-]/g
const oneDigitRepeated = /^(\d)\1*$/

const withCheckDigits = (nine: string): string => {
  const ten = nine + checkDigit(nine, 10)
  return ten + checkDigit(ten, 11)
}

/**
 * A CPF has eleven digits. `.`, `-`, `/` and spaces are dropped. The last two are check digits, computed modulo 11 with
 * the weights 10…2 and 11…2. One digit repeated eleven times is refused.
 * @rule DOC-01
 */
export const parseCpf: TextParser<Cpf> = (input) => {
  const trimmed = input.trim()
  if (!shape.test(trimmed)) return Result.fail(invalidFormat("CPF, 11 digits"))
  const digits = trimmed.replace(punctuation, "")
  return withCheckDigits(digits.slice(0, 9)) === digits && !oneDigitRepeated.test(digits)
    ? Result.succeed(digits as Cpf)
    : Result.fail(problem("INVALID_CHECK_DIGIT"))
}

/** The schema of a CPF. Input may contain punctuation. The decoded form has eleven digits. */
export const Cpf = /* @__PURE__ */ (() =>
  schemaOfParser<Cpf>(parseCpf, {
    description: "CPF: 11 digits, check digits verified. The usual punctuation is accepted on input and dropped.",
    examples: ["11144477735"],
    pattern: String.raw`^\s*\d(?:[ ./-]*\d){10}\s*$`
  }))()

/**
 * A masked CPF shows only its middle six digits: `***.456.789-**`.
 * @rule DOC-02
 */
export const maskCpf = (cpf: Cpf): string => `***.${cpf.slice(3, 6)}.${cpf.slice(6, 9)}-**`

/**
 * Appends the check digits to the first nine digits of a CPF. For seeds and tests. Throws a RangeError if the argument
 * is not nine digits, or is one digit repeated.
 */
export const completeCpf = (nineDigits: string): Cpf => {
  if (!/^\d{9}$/.test(nineDigits) || oneDigitRepeated.test(nineDigits)) {
    throw new RangeError("the first part of a CPF must be nine digits, not all the same")
  }
  return withCheckDigits(nineDigits) as Cpf
}
