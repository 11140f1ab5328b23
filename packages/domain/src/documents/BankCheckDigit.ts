import { Result } from "effect"
import { problem } from "../validation/FieldProblem.ts"
import { parsed, type Parser } from "../validation/parsed.ts"

/**
 * The check digit of a branch or of an account is one digit or `X`, upper-cased. How it is computed differs from bank to
 * bank; it is not verified.
 * @rule DOC-22
 */
export const parseBankCheckDigit: Parser<string> = (input) => {
  const trimmed = input.trim()
  return /^[0-9Xx]$/.test(trimmed) ? Result.succeed(trimmed.toUpperCase()) : Result.fail(problem("INVALID_FORMAT"))
}

/** The schema of a branch's or an account's check digit. */
export const BankCheckDigit = parsed<string>(parseBankCheckDigit, {
  description: "Check digit: one digit or X; null where there is none",
  examples: ["7"],
  pattern: String.raw`^\s*[0-9Xx]\s*$`
})
