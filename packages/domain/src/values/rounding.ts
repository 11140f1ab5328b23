/**
 * Converts a number to an integer by moving its decimal point: `1134.41` with two decimals is `113441`. Returns
 * undefined if the number has more decimals. Exact below 10^15.
 */
export const wholeUnits = (value: number, decimals: number): number | undefined => {
  const units = Math.round(value * 10 ** decimals)
  return units / 10 ** decimals === value ? units : undefined
}

/** Divides two non-negative integers, and rounds the quotient half up. */
const divide = (numerator: bigint, denominator: bigint): bigint =>
  numerator / denominator + (2n * (numerator % denominator) < denominator ? 0n : 1n)

const decimalNotation = /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/

/**
 * Half up: rounds to the nearest decimal, and ties away from zero.
 *
 * Rounds the shortest decimal text of the number. So `1.005` is a tie at two decimals, although its binary value is
 * slightly less. Errors of earlier computations remain: `1.1 * 1.1` is `1.2100000000000002`. If ties matter, compute in
 * integers (`divideHalfUp`). Infinities and NaN are returned unchanged.
 * @rule MONEY-01
 */
export const roundHalfUp = (value: number, decimals: number): number => {
  const [, whole = "", fraction = "", exponent = "0"] = decimalNotation.exec(String(Math.abs(value))) ?? []
  const scale = fraction.length - Number(exponent)
  if (whole === "" || scale <= decimals) return value
  const rounded = divide(BigInt(whole + fraction), 10n ** BigInt(scale - decimals))
  const magnitude = Number(`${rounded}e-${decimals}`)
  return value < 0 && magnitude !== 0 ? -magnitude : magnitude
}

/**
 * Half up in integers: returns the integer nearest to `numerator / denominator`, and rounds ties away from zero. The
 * denominator must be positive.
 * @rule MONEY-03
 */
export const divideHalfUp = (numerator: bigint, denominator: bigint): bigint =>
  numerator < 0n ? -divide(-numerator, denominator) : divide(numerator, denominator)
