import { Result } from "effect"
import { type CalendarDate } from "../values/CalendarDate.ts"
import { checkPolicy, type FgtsPolicy } from "./FgtsPolicy.ts"
import { judgeCet, judgeMaximumRate, judgeNegativePrincipals, judgeRate } from "./judgeCosts.ts"
import { judgeSchedule } from "./judgeSchedule.ts"
import { judgeSums } from "./judgeSums.ts"
import { areNextWithdrawals, releaseDayOf } from "./nextWithdrawals.ts"
import { type FeeTable, hasRegistrationFee } from "./Offer.ts"
import { type OfferFault, UnlawfulOffer } from "./OfferFault.ts"
import { type PricedOffer } from "./PricedOffer.ts"

/**
 * The conditions that an offer must meet. A quote request contains all of them except `released_by` and
 * `is_known_customer`.
 */
export interface OfferConditions {
  readonly customer: { readonly birth_date: CalendarDate }
  /** The release day in America/Sao_Paulo: the day on which the money would be paid to the customer. */
  readonly released_on: CalendarDate
  /** The latest release day for which the lender can price. Default: the release day. */
  readonly released_by?: CalendarDate
  /** The policy of the release day, with the rate limit in force. */
  readonly policy: FgtsPolicy
  readonly wish: { readonly max_installments: number | null }
  /** True if the customer already had a paid contract at the lender (FGTS-58). Default: false. */
  readonly is_known_customer?: boolean
}

/** The fee kind and the terms of an offer, which the rules check. */
export interface JudgedOffer {
  readonly table: Pick<FeeTable, "fee_kind">
  readonly terms: PricedOffer
}

/**
 * A fee of the kind NONE is 0. A registration fee above 0 is unlawful for a customer who already had a paid contract at
 * the lender. It is lawful only at the start of the relationship between the customer and the lender.
 *
 * Source: STJ, Súmula 566.
 * @rule FGTS-58
 */
export const judgeFeeKind = (offer: JudgedOffer, is_known_customer: boolean): OfferFault | undefined => {
  if (offer.table.fee_kind === "NONE" && offer.terms.fee_amount !== 0) return "FEE_NOT_STATED"
  return is_known_customer && hasRegistrationFee(offer) ? "REGISTRATION_REPEATED" : undefined
}

const faultOf = (
  { customer: { birth_date }, is_known_customer = false, policy, released_on, released_by = released_on, wish }:
    OfferConditions,
  offer: JudgedOffer
): OfferFault | undefined => {
  const { terms } = offer
  const { installments } = terms
  const sums = judgeSums(terms)
  // This fault comes first, because its rejection is not LENDER_POLICY.
  if (sums === "COSTS_TOO_HIGH") return sums
  if (Result.isFailure(checkPolicy(policy, installments.map(({ amount }) => amount)))) return "AGAINST_POLICY"
  if (installments.length > (wish.max_installments ?? policy.max_installments)) return "TOO_MANY_INSTALLMENTS"
  if (sums !== undefined) return sums
  const schedule = judgeSchedule(installments, { birth_date, released_on, released_by })
  if (schedule !== undefined) return schedule
  const priced_for = { birth_date, policy, released_on: releaseDayOf(installments) ?? released_on }
  if (!areNextWithdrawals(installments, priced_for)) return "NOT_NEXT"
  return judgeNegativePrincipals(terms) ?? judgeCet(terms) ?? judgeRate(terms) ?? judgeMaximumRate(terms, policy) ??
    judgeFeeKind(offer, is_known_customer)
}

/**
 * An offer of the lender is stored only if it is lawful. Otherwise its fee table is listed as unpriced, and a warning
 * is logged. These rules are checked:
 *
 * - The instalments comply with the policy (POLICY-07) and with the requested maximum number.
 * - The amounts add up (FGTS-16).
 * - The due dates are those of annual withdrawals (FGTS-38), and of the next ones (POLICY-08).
 * - The stated costs and rates are correct (FGTS-39 to FGTS-42).
 * - The fee is lawful (FGTS-58).
 * @rule LENDER-14
 */
export const judgeLenderOffer = (
  conditions: OfferConditions,
  terms: PricedOffer,
  table: JudgedOffer["table"] = {}
): Result.Result<void, UnlawfulOffer> => {
  const fault = faultOf(conditions, { table, terms })
  return fault === undefined ? Result.void : Result.fail(new UnlawfulOffer({ fault }))
}
