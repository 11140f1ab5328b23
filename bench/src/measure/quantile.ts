/** The value below which the fraction `at` of the sorted values lies (nearest rank); NaN for none. */
export const quantile = (sorted: ReadonlyArray<number>, at: number): number =>
  sorted[Math.max(0, Math.ceil(at * sorted.length) - 1)] ?? Number.NaN

/** Values from the least to the greatest. */
export const ascending = (values: Iterable<number>): ReadonlyArray<number> =>
  [...values].toSorted((one, other) => one - other)

/** The median of values in any order. */
export const median = (values: Iterable<number>): number => quantile(ascending(values), 0.5)
