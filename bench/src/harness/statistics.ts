/** Returns the quantile `at` of sorted values (nearest rank). NaN without values. */
export const quantile = (sorted: ReadonlyArray<number>, at: number): number =>
  sorted[Math.max(0, Math.ceil(at * sorted.length) - 1)] ?? Number.NaN

export const ascending = (values: Iterable<number>): ReadonlyArray<number> => [...values].toSorted((a, b) => a - b)

/** Returns the median of unsorted values. For an even number, this is the mean of the two middle values. */
export const median = (values: Iterable<number>): number => {
  const sorted = ascending(values)
  const half = sorted.length / 2
  return sorted.length % 2 === 1
    ? quantile(sorted, 0.5)
    : ((sorted[half - 1] ?? Number.NaN) + (sorted[half] ?? Number.NaN)) / 2
}

/** Returns the median, the 99th percentile and the largest of unsorted values (nearest rank). NaN without values. */
export const percentilesOf = (values: Iterable<number>) => {
  const sorted = ascending(values)
  return { p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99), slowest: quantile(sorted, 1) }
}
