import { Redacted, Result } from "effect"
import { problem } from "../input/FieldProblem.ts"
import { invalidFormat } from "../input/TextFormat.ts"
import { schemaOfParser, type TextParser } from "../input/textParser.ts"

const bounds = { min: 12, max: 128 }

/**
 * A text with more than eight code units per allowed code point is too long in any form. It is not normalised, because
 * NFC takes quadratic time on long runs of combining marks.
 */
const isFarTooLong = (text: string): boolean => text.length > bounds.max * 8

/** Returns the canonical form of a password (NFC). A text that is too long for any password is returned unchanged. */
export const canonicalPassword = (text: string): string => isFarTooLong(text) ? text : text.normalize("NFC")

/**
 * A password has 12 to 128 characters (code points) of well-formed Unicode without NUL. It is stored and compared in
 * NFC, because keyboards send different forms. It is never trimmed.
 * @rule AUTH-06
 */
export const parsePassword = (input: string): ReturnType<TextParser<string>> => {
  if (isFarTooLong(input)) return Result.fail(problem("TOO_LONG", { max: bounds.max }))
  if (!input.isWellFormed() || input.includes("\u0000")) return Result.fail(invalidFormat("Unicode text without NUL"))
  const password = input.normalize("NFC")
  const length = Array.from(password).length
  if (length < bounds.min) return Result.fail(problem("TOO_SHORT", { min: bounds.min }))
  return length > bounds.max ? Result.fail(problem("TOO_LONG", { max: bounds.max })) : Result.succeed(password)
}

/**
 * A password is verified in NFC, and in the sent form if it differs. Earlier versions of Lastro stored the hash of the
 * sent form. The number of forms depends only on the input, not on the user.
 * @rule AUTH-17
 */
export const passwordForms = (sent: Redacted.Redacted): ReadonlyArray<Redacted.Redacted> => {
  const canonical = canonicalPassword(Redacted.value(sent))
  return canonical === Redacted.value(sent) ? [sent] : [Redacted.make(canonical), sent]
}

/** The schema of a new password. */
export const Password = schemaOfParser(parsePassword, {
  description: "12 to 128 characters",
  format: "password",
  minLength: bounds.min,
  maxLength: bounds.max
})
