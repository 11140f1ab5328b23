import { fold, type Folded, matchesFolded } from "@lastro/domain"

/** Whether a text passes a text filter; an absent filter passes everything. */
export const matchesText = (text: string, part: Folded | undefined): boolean =>
  part === undefined || matchesFolded(fold(text), part)

/** Whether a value passes a filter for that very value; an absent filter passes everything. */
export const matchesValue = <A>(value: A, wanted: A | undefined): boolean => wanted === undefined || value === wanted
