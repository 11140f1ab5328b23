import { Redacted, Result } from "effect"
import { problem } from "../validation/FieldProblem.ts"
import { schemaOfParser, type TextParser } from "../validation/textParser.ts"

const bounds = { min: 12, max: 128 }

/**
 * A password has 12 to 128 characters (code points) of well-formed Unicode without NUL. Its canonical form is NFC, because keyboards differ
 * in the form that they send. It is never trimmed.
 * @rule AUTH-06
 */
export const parsePassword = (input: string): ReturnType<TextParser<string>> => {
  if (!input.isWellFormed() || input.includes("\u0000")) return Result.fail(problem("INVALID_FORMAT"))
  const password = input.normalize("NFC")
  const length = Array.from(password).length
  if (length < bounds.min) return Result.fail(problem("TOO_SHORT", { min: bounds.min }))
  return length > bounds.max ? Result.fail(problem("TOO_LONG", { max: bounds.max })) : Result.succeed(password)
}

/**
 * A password is verified in NFC, and then as sent if that differs: earlier versions stored the hash of the form as sent. The number of forms
 * depends only on the input, not on the user.
 * @rule AUTH-17
 */
export const passwordForms = (sent: Redacted.Redacted): ReadonlyArray<Redacted.Redacted> => {
  const canonical = Redacted.value(sent).normalize("NFC")
  return canonical === Redacted.value(sent) ? [sent] : [Redacted.make(canonical), sent]
}

/** The schema of a new password. */
export const Password = schemaOfParser(parsePassword, {
  description: "12 to 128 characters",
  format: "password",
  minLength: bounds.min,
  maxLength: bounds.max
})
