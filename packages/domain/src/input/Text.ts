import { Result, type Schema } from "effect"
import { problem } from "./FieldProblem.ts"
import { invalidFormat } from "./TextFormat.ts"
import { schemaOfParser, type TextParser } from "./textParser.ts"

/** Bounds of the length of a text in code points, inclusive. */
export interface TextBounds {
  readonly min: number
  readonly max: number
}

/**
 * Matches control characters (PostgreSQL cannot store NUL), lone surrogates (UTF-8 cannot encode them), and characters
 * that make different texts look the same (invisible ones, changes of text direction, line and paragraph separators).
 */
const forbidden = /[\p{Cc}\p{Cs}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u

/**
 * A text with more than eight code units per allowed code point is refused without normalisation, because NFC takes
 * quadratic time on long runs of combining marks. Such a text is always too long: eight code units are at least four
 * code points, and NFC combines at most four code points into one.
 */
const unitsPerCodePoint = 8

/**
 * A text is trimmed and normalised to Unicode NFC. It has `min` to `max` code points, and no control, format or
 * invisible characters, line or paragraph separators, or lone surrogates.
 * @rule TEXT-01
 */
export const parseText = ({ max, min }: TextBounds): TextParser<string> => (input) => {
  const trimmed = input.trim()
  if (trimmed.length > max * unitsPerCodePoint) return Result.fail(problem("TOO_LONG", { max }))
  if (forbidden.test(trimmed)) return Result.fail(invalidFormat("visible text"))
  const canonical = trimmed.normalize("NFC")
  const length = Array.from(canonical).length
  if (length < min) return Result.fail(problem("TOO_SHORT", { min }))
  return length > max ? Result.fail(problem("TOO_LONG", { max })) : Result.succeed(canonical)
}

/**
 * The schema of a text parsed by {@link parseText}. Properties other than `min` and `max` become schema annotations,
 * such as `description`.
 */
export const textSchema = (
  { max, min, ...annotations }: TextBounds & Schema.Annotations.Documentation<string>
): Schema.Codec<string, string> =>
  schemaOfParser(parseText({ min, max }), { minLength: min, maxLength: max, ...annotations })
