import { Result } from "effect"
import { problem } from "../validation/FieldProblem.ts"
import { parsed, type Parser } from "../validation/parsed.ts"

/**
 * A bank code has three digits (COMPE) or eight (ISPB).
 * @rule DOC-18
 */
export const parseBankCode: Parser<string> = (input) => {
  const trimmed = input.trim()
  return /^(?:\d{3}|\d{8})$/.test(trimmed) ? Result.succeed(trimmed) : Result.fail(problem("INVALID_FORMAT"))
}

/** The schema of a bank code. */
export const BankCode = parsed<string>(parseBankCode, {
  description: "Bank: 3 digits (COMPE) or 8 (ISPB)",
  examples: ["341", "60701190"],
  pattern: String.raw`^\s*(?:\d{3}|\d{8})\s*$`
})
