export { annualWithdrawal, annualWithdrawals } from "./annualWithdrawals.ts"
export { type DiscountedInstallment, discountInstallments } from "./discountInstallments.ts"
export { checkPolicy, fgtsPolicies, type FgtsPolicy, policyEnds, policyOn, PolicyViolation } from "./FgtsPolicy.ts"
export { availableInstallments, dueDates, installmentAmounts } from "./installments.ts"
export { judgeLenderOffer, type OfferConditions } from "./judgeLenderOffer.ts"
export { areNextWithdrawals } from "./nextWithdrawals.ts"
export { type FeeKind, feeKinds, type FeeTable, type Offer } from "./Offer.ts"
export { isExpired } from "./offerExpiry.ts"
export { type OfferFault, offerFaults, UnlawfulOffer } from "./OfferFault.ts"
export {
  type DueAmount,
  FeesExceedPrincipal,
  type LoanFee,
  type OfferTerms,
  type PricedInstallment,
  type PricedOffer,
  type PricingRefusal,
  TermsOutOfRange,
  type TermsProblem
} from "./PricedOffer.ts"
export { annualRate, priceOffer } from "./priceOffer.ts"
export { pricedInstallments } from "./principal.ts"
export { type FinalQuotation, type LenderOffer } from "./Quote.ts"
export { type Quote, type QuoteOutcome, type QuoteWish, type Unpriced } from "./Quote.ts"
export {
  type LenderName,
  type PartOutcome,
  type QuotedLender,
  type QuotePart,
  type QuoteRouting,
  type QuoteStrategy
} from "./QuotePart.ts"
export { reduceToDesired } from "./reduceToDesired.ts"
export { type OwnRejection, ownRejectionOf, ownRejections, rejectionByLastro } from "./rejectionByLastro.ts"
export {
  isRetryable,
  readRejection,
  type RejectionCode,
  rejectionCodes,
  RejectionKind,
  RejectionReason,
  rejectionReason
} from "./RejectionReason.ts"
export { NoEffectiveCost, type Payment, type TotalEffectiveCost, totalEffectiveCost } from "./totalEffectiveCost.ts"
