import { type FoldedText, foldText, matchesFolded } from "@lastro/domain/paging"

/** Returns whether a text passes a text filter. Every text passes an undefined filter. */
export const matchesText = (text: string, part: FoldedText | undefined): boolean =>
  part === undefined || matchesFolded(foldText(text), part)

/** Returns whether a value equals a filter value. Every value passes an undefined filter. */
export const matchesValue = <A>(value: A, wanted: A | undefined): boolean => wanted === undefined || value === wanted
