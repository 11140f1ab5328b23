import { Result } from "effect"
import { type CalendarDate } from "../values/CalendarDate.ts"
import { type Percent } from "../values/Percent.ts"
import { judgeCet, judgeMaximumRate, judgeNegativePrincipals, judgeRate } from "./judgeCosts.ts"
import { judgeSchedule } from "./judgeSchedule.ts"
import { judgeSums } from "./judgeSums.ts"
import { type OfferFault, UnlawfulOffer } from "./OfferFault.ts"
import { checkPolicy, type FgtsPolicy } from "./Policy.ts"
import { type PricedOffer } from "./PricedOffer.ts"

/**
 * The conditions that an offer must meet. A quote request contains all of them except the latest release day and the
 * maximum rate.
 */
export interface OfferConditions {
  readonly customer: { readonly birth_date: CalendarDate }
  /** The release day in America/Sao_Paulo: the day on which the money would be paid to the customer. */
  readonly released_on: CalendarDate
  /** The latest release day for which a lender can price. Default: the release day. */
  readonly released_by?: CalendarDate
  /** The policy of the release day. */
  readonly policy: FgtsPolicy
  readonly wish: { readonly max_installments: number | null }
  /** The operator's maximum monthly rate. Default: no maximum. */
  readonly max_monthly_rate?: Percent | null
}

const faultOf = (
  { customer: { birth_date }, max_monthly_rate = null, policy, released_on, released_by = released_on, wish }:
    OfferConditions,
  terms: PricedOffer
): OfferFault | undefined => {
  const { installments, monthly_rate } = terms
  const sums = judgeSums(terms)
  if (sums === "COSTS_TOO_HIGH") return sums
  if (Result.isFailure(checkPolicy(policy, installments.map(({ amount }) => amount)))) return "AGAINST_POLICY"
  if (installments.length > (wish.max_installments ?? policy.max_installments)) return "TOO_MANY_INSTALLMENTS"
  return sums ?? judgeSchedule(installments, { birth_date, released_on, released_by }) ??
    judgeNegativePrincipals(terms) ??
    judgeCet(terms) ?? judgeRate(terms) ?? judgeMaximumRate(monthly_rate, max_monthly_rate)
}

/**
 * An offer of the lender is stored only if it is lawful: its instalments comply with the policy (POLICY-07) and with
 * the requested maximum number, its amounts add up (FGTS-16), its schedule is that of annual withdrawals (FGTS-38), and
 * its stated costs and rates are correct (FGTS-39 to FGTS-42). Otherwise its fee table is listed as unpriced, and a
 * warning is logged.
 * @rule LENDER-14
 */
export const judgeLenderOffer = (
  conditions: OfferConditions,
  terms: PricedOffer
): Result.Result<void, UnlawfulOffer> => {
  const fault = faultOf(conditions, terms)
  return fault === undefined ? Result.void : Result.fail(new UnlawfulOffer({ fault }))
}
