import { type Brand, Result } from "effect"
import { problem } from "../validation/FieldProblem.ts"
import { parsed, type Parser } from "../validation/parsed.ts"

/** A Brazilian postal code (CEP): eight digits. */
export type Zipcode = string & Brand.Brand<"Zipcode">

const shape = /^\d(?:[ .-]*\d){7}$/
const punctuation = /[ .-]/g

/**
 * A CEP has eight digits; `.`, `-` and spaces are dropped. The post office is not consulted.
 * @rule DOC-12
 */
export const parseZipcode: Parser<Zipcode> = (input) => {
  const trimmed = input.trim()
  return shape.test(trimmed)
    ? Result.succeed(trimmed.replace(punctuation, "") as Zipcode)
    : Result.fail(problem("INVALID_FORMAT"))
}

/** The schema of a CEP. */
export const Zipcode = parsed<Zipcode>(parseZipcode, {
  description: "CEP: 8 digits. The usual punctuation is accepted on input and dropped.",
  examples: ["01310100"],
  pattern: String.raw`^\s*\d(?:[ .-]*\d){7}\s*$`
})

/**
 * A masked CEP shows the first two digits, the region: `01***-***`.
 * @rule DOC-13
 */
export const maskZipcode = (zipcode: Zipcode): string => `${zipcode.slice(0, 2)}***-***`
