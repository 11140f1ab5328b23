import { type Brand, Result } from "effect"
import { invalidFormat } from "../input/TextFormat.ts"
import { schemaOfParser, type TextParser } from "../input/textParser.ts"

/** A Brazilian phone number without country code: an area code of two digits, then eight or nine digits. */
export type Phone = string & Brand.Brand<"Phone">

const shape = /^\+?[0-9(](?:[ ()./-]*\d){9,12}$/
const punctuation = /[ ()./-]/g
const national = /^[1-9][1-9](?:\d{8}|9\d{8})$/
const international = /^\+?55(\d{10,11})$/

/**
 * A phone number has an area code of two digits from 1 to 9, then eight digits, or nine digits that begin with 9. A
 * leading country code (`55` or `+55`) is dropped, and so are `(`, `)`, `.`, `-`, `/` and spaces.
 * @rule DOC-10
 */
export const parsePhone: TextParser<Phone> = (input) => {
  const trimmed = input.trim()
  if (!shape.test(trimmed)) return Result.fail(invalidFormat("area code and 8 or 9 digits"))
  const dialled = trimmed.replace(punctuation, "")
  const digits = international.exec(dialled)?.[1] ?? dialled
  return national.test(digits)
    ? Result.succeed(digits as Phone)
    : Result.fail(invalidFormat("area code and 8 or 9 digits"))
}

/** The schema of a phone number. */
export const Phone = /* @__PURE__ */ (() =>
  schemaOfParser<Phone>(parsePhone, {
    description:
      "Brazilian phone number: area code and 8 or 9 digits, without the country code. The usual punctuation and " +
      "a leading +55 or 55 are accepted on input and dropped.",
    examples: ["11987654321", "1133334444"],
    pattern: String.raw`^\s*\+?[0-9(](?:[ ()./-]*\d){9,12}\s*$`
  }))()
