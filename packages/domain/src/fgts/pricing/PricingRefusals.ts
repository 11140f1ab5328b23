import { Schema } from "effect"

/** Taxes and fee leave nothing of the principal to pay out. */
export class FeesExceedPrincipal extends Schema.TaggedError<FeesExceedPrincipal>()("FeesExceedPrincipal", {}) {}

/** These terms are no loan that can be priced. */
export class TermsOutOfRange extends Schema.TaggedError<TermsOutOfRange>()("TermsOutOfRange", {
  reason: Schema.Literals([
    "NO_INSTALLMENTS",
    "AMOUNT_NOT_POSITIVE",
    /** A due date does not lie after the release and after the one before it. */
    "DUE_DATES_NOT_ASCENDING",
    /** The instalments together are more than an amount can be. */
    "GROSS_TOO_LARGE",
    /** The monthly rate is negative or above 100 %. */
    "RATE_OUT_OF_RANGE",
    "NEGATIVE_FEE",
    /** The total effective cost is above 900 000 000 % a year, about the most that a percentage can be. */
    "COST_TOO_HIGH"
  ])
}) {}

/** Why terms have no price. */
export type PricingRefusal = FeesExceedPrincipal | TermsOutOfRange
