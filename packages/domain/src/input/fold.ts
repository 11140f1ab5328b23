import type { Brand } from "effect"

/** A text without letter case and accents, for searching and sorting. Only {@link foldText} creates one. */
export type FoldedText = Brand.Branded<string, "Folded">

/**
 * Searching and sorting ignore letter case and accents. Folding decomposes a text (NFD), drops every mark (`\p{M}`),
 * and then folds letter case.
 *
 * Letter case is folded in three steps: to lower case, to upper case, and to lower case again. One step does not unify
 * all variants of a letter: `ß` and `SS`, `ſ` and `S`, the micro sign and the Greek letter mu. The capital `ẞ` needs
 * the first step.
 *
 * Each character is folded independently: `fold(a + b) = fold(a) + fold(b)`. So a part of a text folds to a part of the
 * folded text, and folding twice changes nothing. One exception in JavaScript would break this: the lower case of a
 * final sigma is `ς`. It is replaced by `σ`.
 *
 * Marks are also dropped before the decomposition, because NFD takes quadratic time on a run of marks.
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
 * A text filter matches every text that contains it anywhere. Both texts are folded first (PAGE-05), so letter case and
 * accents are ignored. No character is a wildcard.
 * @rule PAGE-06
 */
export const matchesFolded = (haystack: FoldedText, needle: FoldedText): boolean => haystack.includes(needle)
