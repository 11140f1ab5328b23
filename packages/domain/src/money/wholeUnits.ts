/**
 * Converts a number to units of its last decimal: `1134.41` with two decimals is `113441`. Returns undefined if the number has more
 * decimals. Exact below 10^15.
 */
export const wholeUnits = (value: number, decimals: number): number | undefined => {
  const units = Math.round(value * 10 ** decimals)
  return units / 10 ** decimals === value ? units : undefined
}
