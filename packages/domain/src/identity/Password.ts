import { Result } from "effect"
import { problem } from "../validation/FieldProblem.ts"
import { schemaOfParser, type TextParser } from "../validation/textParser.ts"

const bounds = { min: 12, max: 128 }

/**
 * A password has 12 to 128 characters (code points) of well-formed Unicode without NUL. It is never trimmed or normalised.
 * @rule AUTH-06
 */
export const parsePassword = (input: string): ReturnType<TextParser<string>> => {
  if (!input.isWellFormed() || input.includes("\u0000")) return Result.fail(problem("INVALID_FORMAT"))
  const length = Array.from(input).length
  if (length < bounds.min) return Result.fail(problem("TOO_SHORT", { min: bounds.min }))
  return length > bounds.max ? Result.fail(problem("TOO_LONG", { max: bounds.max })) : Result.succeed(input)
}

/** The schema of a new password. */
export const Password = schemaOfParser(parsePassword, {
  description: "12 to 128 characters",
  format: "password",
  minLength: bounds.min,
  maxLength: bounds.max
})
