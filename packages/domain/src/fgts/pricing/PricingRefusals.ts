import { Data } from "effect"

/** Taxes and fee exceed the principal. */
export class FeesExceedPrincipal extends Data.TaggedError("FeesExceedPrincipal") {}

/** The reason why terms are not a loan that can be priced. */
export type TermsProblem =
  | "NO_INSTALLMENTS"
  | "AMOUNT_NOT_POSITIVE"
  /** A due date is not after the release and after the previous due date. */
  | "DUE_DATES_NOT_ASCENDING"
  /** The sum of the instalments exceeds the largest amount. */
  | "GROSS_TOO_LARGE"
  /** The monthly rate is negative or above 100 %. */
  | "RATE_OUT_OF_RANGE"
  | "NEGATIVE_FEE"
  /** The total effective cost is above 900 000 000 % a year. */
  | "COST_TOO_HIGH"

/** The terms are not a loan that can be priced. */
export class TermsOutOfRange extends Data.TaggedError("TermsOutOfRange")<{ readonly reason: TermsProblem }> {}

/** The reasons why terms cannot be priced. */
export type PricingRefusal = FeesExceedPrincipal | TermsOutOfRange
