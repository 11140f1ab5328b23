import type { Brand } from "effect"

/** A text without letter case and accents, for searching and sorting. Only {@link foldText} creates one. */
export type FoldedText = Brand.Branded<string, "Folded">

/**
 * Searching and sorting ignore letter case and accents. Folding decomposes a text (NFD), drops every mark (`\p{M}`) and
 * then folds letter case.
 *
 * Letter case is folded in three steps: to lower case, to upper case, and to lower case again. One step does not unify
 * all case variants of a letter (`ß` and `SS`, `ſ` and `S`, the micro sign and the Greek letter mu). The first step is
 * required for the capital `ẞ`. In JavaScript, the lower-case form depends on neighbouring characters for one letter
 * only, the sigma. A final `ς` is therefore replaced by `σ`. As a result, each character is folded independently:
 * `fold(a + b) = fold(a) + fold(b)`. A part of a text folds to a part of the folded text. Folding a folded text does
 * not change it, because this is true of every single character.
 *
 * Marks are also dropped before the decomposition, because NFD takes quadratic time to sort a run of marks.
 *
 * Source: The Unicode Standard, section 3.13, default caseless matching, with marks ignored.
 * @rule PAGE-05
 */
export const foldText = (text: string): FoldedText =>
  withoutMarks(withoutMarks(text).normalize("NFD"))
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll("ς", "σ") as FoldedText

const withoutMarks = (text: string): string => text.replace(/\p{M}/gu, "")

/**
 * A text filter matches every text that contains the filter text anywhere. Both texts are folded first (PAGE-05), so
 * letter case and accents are ignored. No character is a wildcard.
 * @rule PAGE-06
 */
export const matchesFolded = (haystack: FoldedText, needle: FoldedText): boolean => haystack.includes(needle)
