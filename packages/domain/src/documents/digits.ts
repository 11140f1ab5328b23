import { Result } from "effect"
import { problem } from "../validation/FieldProblem.ts"
import { type Parser } from "../validation/parsed.ts"

/**
 * Reads 1 to `max` digits, leading zeros kept. Only surrounding blanks are dropped: in bank numbers a dash stands before
 * a check digit, and dropping it would make the digit part of the number.
 */
export const digits = (max: number): Parser<string> => (input) => {
  const trimmed = input.trim()
  if (!/^\d+$/.test(trimmed)) return Result.fail(problem("INVALID_FORMAT"))
  return trimmed.length > max ? Result.fail(problem("TOO_LONG", { max })) : Result.succeed(trimmed)
}
