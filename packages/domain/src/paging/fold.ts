import type { Brand } from "effect"

/** A text in the form in which texts are searched and sorted; only {@link foldText} makes one. */
export type FoldedText = Brand.Branded<string, "Folded">

/**
 * Texts are searched and sorted without regard to letter case and accents: canonical decomposition (NFD), then every
 * mark (`\p{M}`) is dropped, then letter case is folded.
 *
 * Case is folded as lower-case of upper-case of lower-case, because one step does not bring all case variants of a
 * letter together (`ß` and `SS`, `ſ` and `S`, the micro sign and the Greek letter), and beginning with lower-case takes
 * the capital `ẞ` along. JavaScript's lower-casing looks at the neighbours of one letter only, the final sigma, which
 * is written `σ` everywhere here. So each character folds by itself: `fold(a + b) = fold(a) + fold(b)`, a part of a text
 * folds to a part of the folded text, and since no single character changes when folded twice, no text does.
 *
 * Marks are dropped before the decomposition too: it sorts runs of marks, in quadratic time, and none of them is kept.
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
 * A text filter finds every text that holds the needle anywhere, both folded; no character of it is a wildcard.
 * @rule PAGE-06
 */
export const matchesFolded = (haystack: FoldedText, needle: FoldedText): boolean => haystack.includes(needle)
