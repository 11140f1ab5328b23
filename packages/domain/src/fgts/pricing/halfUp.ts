/**
 * How far a present value computed in floating point may be from the true one, in proportion. Against decimals of forty
 * digits, 10^-15 is seen for FGTS terms, and less than 10^-12 for terms of 300 years at 100 % a month.
 */
export const relativeError = 1e-11

/**
 * Rounds a non-negative number half up to an integer. What lies so near to a tie that floating point may put it on the
 * wrong side is left to `exactly`: R$ 2 619.54 due in 60 days at 0.8 % a month is worth R$ 2 578.125, but 0.8 % is no
 * binary number, and what is computed is a little less.
 */
export const halfUp = (value: number, exactly: () => number): number =>
  Math.abs(value - Math.floor(value) - 0.5) <= value * relativeError ? exactly() : Math.round(value)
