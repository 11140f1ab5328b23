import { parsed, type Parser } from "../validation/parsed.ts"
import { digits } from "./digits.ts"

/**
 * A bank branch (agência) has 1 to 4 digits, without its check digit.
 * @rule DOC-19
 */
export const parseAgency: Parser<string> = digits(4)

/** The schema of a bank branch. */
export const Agency = parsed<string>(parseAgency, {
  description: "Branch: 1 to 4 digits, without its check digit",
  examples: ["0001"],
  pattern: String.raw`^\s*\d{1,4}\s*$`
})
