/** A decoded query parameter: absent, one value, or several values in the order sent. */
export type RawValue = string | ReadonlyArray<string> | undefined

/** The query parameters of a request by name. */
export type RawQuery = Readonly<Record<string, RawValue>>

/**
 * If a parameter that takes one value (page, size or a filter) is repeated, the first value is used.
 * @rule PAGE-01
 */
export const firstValue = (raw: RawValue): string | undefined => typeof raw === "string" ? raw : raw?.[0]

/** Returns all values of a repeatable parameter, in the order sent. */
export const allValues = (raw: RawValue): ReadonlyArray<string> =>
  raw === undefined ? [] : typeof raw === "string" ? [raw] : raw
