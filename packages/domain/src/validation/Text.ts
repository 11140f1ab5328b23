import { Result, type Schema } from "effect"
import { problem } from "./FieldProblem.ts"
import { parsed, type Parser } from "./parsed.ts"

/** Bounds of a text's length in code points, both inclusive. */
export interface TextBounds {
  readonly min: number
  readonly max: number
}

/**
 * What cannot be stored: control characters, NUL among them (PostgreSQL cannot), and halves of surrogate pairs (UTF-8
 * cannot). And what makes two texts look alike, or a text look like nothing or like another: characters that show
 * nothing, change the direction of what follows, or separate lines.
 */
const forbidden = /[\p{Cc}\p{Cs}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u

/**
 * NFC takes quadratic time on long runs of combining marks and never shrinks a text to less than a quarter of its code
 * points (two code units each), so what is longer than this is too long in any case and is not normalised.
 */
const unitsPerCodePoint = 8

/**
 * A text is trimmed and brought to Unicode NFC; it holds no control, format or invisible character, no line or paragraph
 * separator and no lone surrogate, and between `min` and `max` code points.
 * @rule TEXT-01
 */
export const parseText = ({ max, min }: TextBounds): Parser<string> => (input) => {
  const trimmed = input.trim()
  if (trimmed.length > max * unitsPerCodePoint) return Result.fail(problem("TOO_LONG", { max }))
  if (forbidden.test(trimmed)) return Result.fail(problem("INVALID_FORMAT"))
  const canonical = trimmed.normalize("NFC")
  const length = Array.from(canonical).length
  if (length < min) return Result.fail(problem("TOO_SHORT", { min }))
  return length > max ? Result.fail(problem("TOO_LONG", { max })) : Result.succeed(canonical)
}

/** The schema of a text read by {@link parseText}; further properties are annotations such as `description`, `examples`. */
export const text = (
  { max, min, ...annotations }: TextBounds & Schema.Annotations.Documentation<string>
): Schema.Codec<string, string> => parsed(parseText({ min, max }), { minLength: min, maxLength: max, ...annotations })
