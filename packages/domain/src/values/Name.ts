import { Result } from "effect"
import { parseText } from "../input/Text.ts"
import { invalidFormat } from "../input/TextFormat.ts"
import { schemaOfParser, type TextParser } from "../input/textParser.ts"

const bounds = { min: 2, max: 120 }
const parseBounded = parseText(bounds)

/**
 * A name has 2 to 120 characters after trimming and NFC, and at least one letter or digit. A name of marks, symbols or
 * blanks, such as the blank Braille pattern (U+2800), is refused.
 * @rule DOC-28
 */
export const parseName: TextParser<string> = (input) =>
  Result.flatMap(
    parseBounded(input),
    (name) =>
      /[\p{L}\p{N}]/u.test(name) ? Result.succeed(name) : Result.fail(invalidFormat("text with a letter or digit"))
  )

/** Names of people and companies. */
export const Name = /* @__PURE__ */ (() =>
  schemaOfParser(parseName, {
    description: "Name, 2 to 120 characters",
    examples: ["Maria da Conceição"],
    minLength: bounds.min,
    maxLength: bounds.max
  }))()
