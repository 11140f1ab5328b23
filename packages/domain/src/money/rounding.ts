type TieBreak = (quotient: bigint) => bigint

const upOnTie: TieBreak = (quotient) => quotient + 1n
const evenOnTie: TieBreak = (quotient) => quotient + quotient % 2n

/** Rounds the quotient of two non-negative integers to an integer. */
const divide = (numerator: bigint, denominator: bigint, onTie: TieBreak): bigint => {
  const quotient = numerator / denominator
  const twice = 2n * (numerator % denominator)
  return twice < denominator ? quotient : twice > denominator ? quotient + 1n : onTie(quotient)
}

const decimalNotation = /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/

/**
 * Rounds the decimal that a number prints as: the shortest one that reads back as the same number. So `1.005` has a tie
 * at two decimals although the binary number beneath it is a little less. What it cannot undo is an error made before:
 * `1.1 * 1.1` prints as `1.2100000000000002`, and a tie that arithmetic has blurred is not seen. Where a tie matters,
 * compute in integers (`divideHalfUp`). Infinities and NaN come back unchanged.
 */
const roundPrinted = (value: number, decimals: number, onTie: TieBreak): number => {
  const [, whole = "", fraction = "", exponent = "0"] = decimalNotation.exec(String(Math.abs(value))) ?? []
  const scale = fraction.length - Number(exponent)
  if (whole === "" || scale <= decimals) return value
  const rounded = divide(BigInt(whole + fraction), 10n ** BigInt(scale - decimals), onTie)
  const magnitude = Number(`${rounded}e-${decimals}`)
  return value < 0 && magnitude !== 0 ? -magnitude : magnitude
}

/**
 * Half up: a number is rounded to the nearest of so many decimals, and away from zero when it lies halfway, as
 * commerce does.
 * @rule MONEY-01
 */
export const roundHalfUp = (value: number, decimals: number): number => roundPrinted(value, decimals, upOnTie)

/**
 * Half to even: a number is rounded to the nearest of so many decimals, and to the even last digit when it lies halfway
 * (NBR 5891, ISO 80000-1).
 * @rule MONEY-02
 */
export const roundHalfEven = (value: number, decimals: number): number => roundPrinted(value, decimals, evenOnTie)

/**
 * Half up, exactly: the integer nearest to `numerator / denominator`, and the one farther from zero when it lies
 * halfway. The denominator is positive.
 * @rule MONEY-03
 */
export const divideHalfUp = (numerator: bigint, denominator: bigint): bigint =>
  numerator < 0n ? -divide(-numerator, denominator, upOnTie) : divide(numerator, denominator, upOnTie)
