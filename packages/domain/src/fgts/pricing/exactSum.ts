/** An integer multiplied by a growth factor to the power of `-exponent / degree`. */
export interface ExactTerm {
  readonly weight: bigint
  readonly exponent: number
}

/** A growth factor greater than or equal to one, as a fraction: 1.8 % is 1018 / 1000. */
export interface Growth {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** Fifty decimals: a weight has at most twenty-five digits, which leaves more than twenty for telling a tie. */
const one = 10n ** 50n

/** Two numbers that differ by less are the same: arithmetic errs by less than a thousandth of this. */
const tolerance = 10n ** 30n

/** `growth` to the power of `1 / degree`, cut off at fifty decimals: Newton's method in integers, from above. */
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

/** A factor of at most one to a whole power. */
const raised = (factor: bigint, exponent: number): bigint => {
  let result = one
  let square = factor
  for (let left = exponent; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = result * square / one
    square = square * square / one
  }
  return result
}

/**
 * The sum of `weight × growth^(−exponent / degree)`, in units of 10^-50. Slow, for the few cases in which floating
 * point cannot tell to which side of a tie a sum lies.
 */
export const exactSum = (growth: Growth, degree: number, terms: Iterable<ExactTerm>): bigint => {
  const factor = one * one / root(growth, degree)
  let sum = 0n
  for (const { exponent, weight } of terms) sum += weight * raised(factor, exponent)
  return sum
}

/** A sum divided by a positive integer and rounded half up to an integer. */
export const roundedSum = (sum: bigint, divisor = 1n): number =>
  Number((2n * (sum + tolerance) + divisor * one) / (2n * divisor * one))

/** Negative, zero or positive as a sum is less than an integer, the same, or greater. */
export const compareSum = (sum: bigint, integer: number): number => {
  const difference = sum - BigInt(integer) * one
  return difference > tolerance ? 1 : difference < -tolerance ? -1 : 0
}
