/** A query parameter as it arrives, decoded: absent, given once, or given several times in that order. */
export type RawValue = string | ReadonlyArray<string> | undefined

/** The query parameters of a request by name. */
export type RawQuery = Readonly<Record<string, RawValue>>

/**
 * A query parameter that takes one value (page, size and every filter) counts as it was first given; a repetition is
 * ignored.
 * @rule PAGE-01
 */
export const firstValue = (raw: RawValue): string | undefined => typeof raw === "string" ? raw : raw?.[0]

/** Every value of a query parameter that may be repeated, in the order given; empty when it is absent. */
export const allValues = (raw: RawValue): ReadonlyArray<string> =>
  raw === undefined ? [] : typeof raw === "string" ? [raw] : raw
