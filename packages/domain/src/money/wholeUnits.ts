/**
 * A number in units of its last allowed decimal, `1134.41` with two decimals as `113441`, or nothing when it has more
 * decimals than that. A double keeps decimals of fifteen digits apart, so the answer is exact while it is below 10^15.
 */
export const wholeUnits = (value: number, decimals: number): number | undefined => {
  const units = Math.round(value * 10 ** decimals)
  return units / 10 ** decimals === value ? units : undefined
}
