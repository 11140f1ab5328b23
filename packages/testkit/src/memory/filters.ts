import { fold, type Folded, matchesFolded } from "@lastro/domain/paging"

/** Matches a text against a text filter. A missing filter matches everything. */
export const matchesText = (text: string, part: Folded | undefined): boolean =>
  part === undefined || matchesFolded(fold(text), part)

/** Matches a value against an exact filter. A missing filter matches everything. */
export const matchesValue = <A>(value: A, wanted: A | undefined): boolean => wanted === undefined || value === wanted
