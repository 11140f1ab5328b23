import { Result } from "effect"
import { problem } from "../validation/FieldProblem.ts"
import { parsed, type Parser } from "../validation/parsed.ts"

/**
 * The check digit of a branch or an account is one digit or `X`, upper-cased. It is not verified, because each bank computes it in
 * its own way.
 * @rule DOC-22
 */
export const parseBankCheckDigit: Parser<string> = (input) => {
  const trimmed = input.trim()
  return /^[0-9Xx]$/.test(trimmed) ? Result.succeed(trimmed.toUpperCase()) : Result.fail(problem("INVALID_FORMAT"))
}

/** The schema of the check digit of a branch or an account. */
export const BankCheckDigit = parsed<string>(parseBankCheckDigit, {
  description: "Check digit: one digit or X; null where there is none",
  examples: ["7"],
  pattern: String.raw`^\s*[0-9Xx]\s*$`
})
