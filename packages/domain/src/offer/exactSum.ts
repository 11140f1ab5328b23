/** A term of an exact sum: `weight × growth^(−exponent / degree)`. */
export interface ExactTerm {
  readonly weight: bigint
  readonly exponent: number
}

/** A growth factor of at least one, as a fraction: 1.8 % is 1018 / 1000. */
export interface Growth {
  readonly numerator: bigint
  readonly denominator: bigint
}

/**
 * The number one as a fixed-point integer with fifty decimals. A weight has at most 25 digits, so at least 20 digits
 * remain to detect a tie.
 */
const one = 10n ** 50n

/**
 * Two numbers count as equal if their difference is at most this tolerance. The arithmetic is a thousand times more
 * exact.
 */
const tolerance = 10n ** 30n

/**
 * Computes `growth^(1 / degree)`, truncated to fifty decimals. Uses Newton's method in integers, starting above the
 * root.
 */
const root = ({ denominator, numerator }: Growth, degree: number): bigint => {
  const power = BigInt(degree)
  const target = numerator * one ** power / denominator
  const guess = (Number(numerator) / Number(denominator)) ** (1 / degree)
  let estimate = BigInt(Math.ceil(guess * (1 + 1e-12) * 1e15)) * 10n ** 35n
  for (;;) {
    const next = ((power - 1n) * estimate + target / estimate ** (power - 1n)) / power
    if (next >= estimate) return estimate
    estimate = next
  }
}

/** Raises a factor of at most one to an integer power. */
const raise = (factor: bigint, exponent: number): bigint => {
  let result = one
  let square = factor
  for (let left = exponent; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = result * square / one
    square = square * square / one
  }
  return result
}

/**
 * Computes the sum of `weight × growth^(−exponent / degree)` in units of 10^-50. It is slow, so use it only if floating
 * point cannot decide a tie.
 */
export const exactSum = (growth: Growth, degree: number, terms: Iterable<ExactTerm>): bigint => {
  const factor = one * one / root(growth, degree)
  let sum = 0n
  for (const { exponent, weight } of terms) sum += weight * raise(factor, exponent)
  return sum
}

/**
 * Divides a sum of `exactSum` (units of 10^-50) by `divisor`, and rounds half up. A sum within `tolerance` below a half
 * counts as a half.
 */
export const roundedSum = (sum: bigint, divisor = 1n): number =>
  Number((2n * (sum + tolerance) + divisor * one) / (2n * divisor * one))

/** Compares a sum with an integer: negative, zero or positive. */
export const compareSum = (sum: bigint, integer: number): number => {
  const difference = sum - BigInt(integer) * one
  if (difference > tolerance) return 1
  return difference < -tolerance ? -1 : 0
}
