import { Option, Result } from "effect"
import { fieldProblem, type Problem, problem } from "./FieldProblem.ts"
import { type FoldedText, foldText } from "./fold.ts"
import { type GroupParser } from "./ListQuery.ts"
import { allValues } from "./RawQuery.ts"
import { invalidFormat, type TextFormat } from "./TextFormat.ts"

/** Parses the text of a filter. Returns the value to filter by, none if the filter is empty, or a problem. */
export type FilterParser<A> = (raw: string) => Result.Result<Option.Option<A>, Problem>

/** Maximum length of a filter in code points. Every searchable text is at most this long. */
export const maxFilterLength = 200

/**
 * A filter with an empty text is ignored. A filter of blanks only is applied.
 * @rule PAGE-14
 */
export const filterOf = <A>(parse: (text: string) => Result.Result<A, Problem>): FilterParser<A> => (raw) =>
  raw === "" ? Result.succeed(Option.none()) : Result.map(parse(raw), Option.some)

/**
 * The text of a filter that matches any part of a field has at most 200 code points. A longer text is TOO_LONG.
 * @rule PAGE-15
 */
export const boundedText = (text: string): Result.Result<string, Problem> =>
  Array.from(text).length > maxFilterLength
    ? Result.fail(problem("TOO_LONG", { max: maxFilterLength }))
    : Result.succeed(text)

// Matches control characters (Cc) and lone surrogates (Cs with the u flag).
const unsearchable = /[\p{Cc}\p{Cs}]/u

/**
 * A text filter has no control characters or lone surrogates. Blanks and `%`, `_`, `\` are matched literally. A text of
 * combining marks only is INVALID_FORMAT: folding (PAGE-05) removes the marks, and the remaining empty text would match
 * everything.
 * @rule PAGE-16
 */
export const parseTextFilter: FilterParser<FoldedText> = filterOf((text) =>
  Result.flatMap(boundedText(text), (bounded) => {
    const needle = foldText(bounded)
    return unsearchable.test(bounded) || needle === ""
      ? Result.fail(invalidFormat("visible text"))
      : Result.succeed(needle)
  })
)

const stripped = (shape: RegExp, expected: TextFormat): FilterParser<string> =>
  filterOf((text) =>
    Result.flatMap(boundedText(text), (bounded) => {
      const characters = bounded.replace(/[./ -]/g, "")
      return shape.test(characters)
        ? Result.succeed(characters.toUpperCase())
        : Result.fail(invalidFormat(expected))
    })
  )

/**
 * A document filter is a part of a CPF or CNPJ: digits, and letters for a CNPJ. `.`, `-`, `/` and spaces are dropped,
 * and letters become upper case. Any other character, or an empty result, is INVALID_FORMAT.
 * @rule PAGE-17
 */
export const parseDocumentFilter: FilterParser<string> = stripped(/^[0-9A-Za-z]+$/, "digits and letters")

/**
 * A CPF filter is a part of a CPF: digits. `.`, `-`, `/` and spaces are dropped. Any other character, or an empty result,
 * is INVALID_FORMAT.
 * @rule PAGE-18
 */
export const parseCpfFilter: FilterParser<string> = stripped(/^[0-9]+$/, "digits")

/**
 * A choice filter is exactly one of the allowed values. Any other value is UNKNOWN_VALUE, and the problem lists the
 * allowed values.
 * @rule PAGE-19
 */
export const parseChoiceFilter = <const A extends string>(allowed: ReadonlyArray<A>): FilterParser<A> =>
  filterOf((text) => {
    const found = allowed.find((value) => value === text)
    return found === undefined
      ? Result.fail(problem("UNKNOWN_VALUE", { allowed: allowed.join(", ") }))
      : Result.succeed(found)
  })

/**
 * A filter by several choices accepts a repeated parameter, commas, or both. A record matches if it has one of the
 * values. A repeated value counts once. An empty value between commas is UNKNOWN_VALUE, but a single empty parameter is
 * ignored (PAGE-14).
 * @rule PAGE-32
 */
export const parseChoicesFilter = <const A extends string>(
  name: string,
  allowed: ReadonlyArray<A>
): GroupParser<ReadonlyArray<A>> => ({
  owns: (parameter) => parameter === name,
  parse: (raw) => {
    const texts = allValues(raw[name])
    const isEmpty = texts.length === 0 || (texts.length === 1 && texts[0] === "")
    if (isEmpty) return Result.succeed(Option.none())
    const pieces = new Set(texts.flatMap((text) => text.split(",")))
    const chosen = allowed.filter((value) => pieces.has(value))
    return chosen.length === pieces.size
      ? Result.succeed(Option.some(chosen))
      : Result.fail([fieldProblem(`query.${name}`, problem("UNKNOWN_VALUE", { allowed: allowed.join(", ") }))])
  }
})
