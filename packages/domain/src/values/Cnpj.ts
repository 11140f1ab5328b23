import { type Brand, Result } from "effect"
import { problem } from "../input/FieldProblem.ts"
import { invalidFormat } from "../input/TextFormat.ts"
import { schemaOfParser, type TextParser } from "../input/textParser.ts"
import { checkDigit } from "./checkDigit.ts"

/**
 * The taxpayer number of a legal entity (CNPJ): twelve characters of `[0-9A-Z]` and two check digits. Numbers issued
 * since July 2026 can contain letters (IN RFB 2.229/2024).
 */
export type Cnpj = string & Brand.Brand<"Cnpj">

const shape = /^[0-9A-Za-z](?:[ ./-]*[0-9A-Za-z]){11}(?:[ ./-]*\d){2}$/
const punctuation = /[ ./-]/g
const oneDigitRepeated = /^(\d)\1*$/

const withCheckDigits = (twelve: string): string => {
  const thirteen = twelve + checkDigit(twelve, 9)
  return thirteen + checkDigit(thirteen, 9)
}

/**
 * A CNPJ has twelve digits or letters, in upper case, and two check digits. `.`, `-`, `/` and spaces are dropped. The
 * check digits are computed modulo 11, the first with the weights 5…2, 9…2 and the second with 6…2, 9…2. The value of a
 * character is its ASCII code minus 48. One digit repeated fourteen times is refused.
 * @rule DOC-03
 */
export const parseCnpj: TextParser<Cnpj> = (input) => {
  const trimmed = input.trim()
  if (!shape.test(trimmed)) return Result.fail(invalidFormat("CNPJ, 14 characters"))
  const characters = trimmed.replace(punctuation, "").toUpperCase()
  return withCheckDigits(characters.slice(0, 12)) === characters && !oneDigitRepeated.test(characters)
    ? Result.succeed(characters as Cnpj)
    : Result.fail(problem("INVALID_CHECK_DIGIT"))
}

/**
 * The schema of a CNPJ. Input may contain punctuation and lower-case letters. The decoded form has fourteen characters.
 */
export const Cnpj = /* @__PURE__ */ (() =>
  schemaOfParser<Cnpj>(parseCnpj, {
    description:
      "CNPJ: 12 digits or letters and 2 check digits, verified. The usual punctuation is accepted on input and " +
      "dropped, letters are upper-cased.",
    examples: ["11222333000181", "12ABC34501DE35"],
    pattern: String.raw`^\s*[0-9A-Za-z](?:[ ./-]*[0-9A-Za-z]){11}(?:[ ./-]*\d){2}\s*$`
  }))()

/**
 * Appends the check digits to the first twelve characters of a CNPJ. For seeds and tests. Throws a RangeError if the
 * argument is not twelve characters of `[0-9A-Z]`, or is twelve zeros.
 */
export const completeCnpj = (twelveCharacters: string): Cnpj => {
  if (!/^[0-9A-Z]{12}$/.test(twelveCharacters) || /^0*$/.test(twelveCharacters)) {
    throw new RangeError("the first part of a CNPJ must be twelve digits or upper-case letters, not all zero")
  }
  return withCheckDigits(twelveCharacters) as Cnpj
}
