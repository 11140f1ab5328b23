import { type FoldedText, foldText, matchesFolded } from "@lastro/domain/paging"

/** Matches a text against a text filter. A missing filter matches everything. */
export const matchesText = (text: string, part: FoldedText | undefined): boolean =>
  part === undefined || matchesFolded(foldText(text), part)

/** Matches a value against an exact filter. A missing filter matches everything. */
export const matchesValue = <A>(value: A, wanted: A | undefined): boolean => wanted === undefined || value === wanted
