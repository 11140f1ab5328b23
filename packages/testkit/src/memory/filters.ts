import { type FoldedText, foldText, matchesFolded } from "@lastro/domain/input"
import { matchesMetadata as matchesKeys, type Metadata, type Timestamp } from "@lastro/domain/values"

/** Returns whether a text passes a text filter. Every text passes an undefined filter. */
export const matchesText = (text: string, part: FoldedText | undefined): boolean =>
  part === undefined || matchesFolded(foldText(text), part)

/** Returns whether a value equals a filter value. Every value passes an undefined filter. */
export const matchesValue = <A>(value: A, wanted: A | undefined): boolean => wanted === undefined || value === wanted

/** Returns whether metadata passes a filter. All metadata passes an undefined filter. */
export const matchesMetadata = (metadata: Metadata, wanted: Metadata | undefined): boolean =>
  wanted === undefined || matchesKeys(metadata, wanted)

/** Returns whether a time is at or after `from` and before `to`. An undefined bound does not apply. */
export const isBetween = (at: Timestamp, from: Timestamp | undefined, to: Timestamp | undefined): boolean =>
  (from === undefined || at >= from) && (to === undefined || at < to)
