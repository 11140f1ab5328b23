import { Result } from "effect"
import { problem } from "../validation/FieldProblem.ts"
import { type Parser } from "../validation/parsed.ts"

/**
 * Parses 1 to `max` digits and keeps leading zeros. Only surrounding blanks are dropped. A dash is refused, because in bank numbers it
 * precedes a check digit.
 */
export const digits = (max: number): Parser<string> => (input) => {
  const trimmed = input.trim()
  if (!/^\d+$/.test(trimmed)) return Result.fail(problem("INVALID_FORMAT"))
  return trimmed.length > max ? Result.fail(problem("TOO_LONG", { max })) : Result.succeed(trimmed)
}
