/**
 * Upper bound of the relative error of a present value in floating point. The error was measured against 40-digit
 * decimals: it is 10^-15 for FGTS terms, and below 10^-12 for terms of 300 years at 100 % a month.
 */
export const presentValueError = 1e-11

/**
 * Rounds a non-negative number half up to an integer. Returns the result of `exactly` if the number is too close to a
 * tie for floating point. Example: R$ 2 619.54 due in 60 days at 0.8 % a month has the present value R$ 2 578.125, but
 * floating point gives slightly less.
 */
export const halfUp = (value: number, exactly: () => number): number =>
  Math.abs(value - Math.floor(value) - 0.5) <= value * presentValueError ? exactly() : Math.round(value)
