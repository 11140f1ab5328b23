/** Returns the quantile `at` of sorted values (nearest rank), or NaN without values. */
export const quantile = (sorted: ReadonlyArray<number>, at: number): number =>
  sorted[Math.max(0, Math.ceil(at * sorted.length) - 1)] ?? Number.NaN

/** Sorts values in ascending order. */
export const ascending = (values: Iterable<number>): ReadonlyArray<number> =>
  [...values].toSorted((one, other) => one - other)

/** Returns the median of values in any order. */
export const median = (values: Iterable<number>): number => quantile(ascending(values), 0.5)
