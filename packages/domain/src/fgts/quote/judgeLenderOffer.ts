import { Result } from "effect"
import { obeysPolicy } from "../policy/obeysPolicy.ts"
import { type FgtsPolicy } from "../policy/Policy.ts"
import { type PricedOffer } from "../pricing/PricedOffer.ts"
import { type QuoteWish } from "./Quote.ts"
import { type RejectionReason, rejectionReason } from "./RejectionReason.ts"

/**
 * An offer is only passed on when its instalments obey the policy and the wish for fewer, when its parts add up (the
 * instalments to the gross, their principals to the principal, both taxes to the IOF, net, IOF and fee to the principal) and
 * none is negative, and when the customer receives something and no more than is paid back.
 * @rule FGTS-16
 */
export const judgeLenderOffer = (
  policy: FgtsPolicy,
  { max_installments }: QuoteWish,
  terms: PricedOffer
): Result.Result<void, RejectionReason> => {
  const { installments } = terms
  if (terms.net_amount <= 0) {
    return Result.fail(rejectionReason("FEES_EXCEED_PRINCIPAL", "Costs exceed the financed value."))
  }
  const obedient = Result.isSuccess(obeysPolicy(policy, installments.map(({ amount }) => amount)))
  return obedient && installments.length <= (max_installments ?? policy.max_installments) && addsUp(terms)
    ? Result.void
    : Result.fail(rejectionReason("LENDER_POLICY", "The lender's offer does not obey the rules in force."))
}

/** Sums are plain numbers: where an amount is beyond all bounds they differ, and nothing is thrown. */
const addsUp = (terms: PricedOffer): boolean =>
  sum(terms.installments.map(({ amount }) => amount)) === terms.gross_amount &&
  sum(terms.installments.map(({ principal_amount }) => principal_amount)) === terms.principal_amount &&
  terms.installments.every(({ amount, interest_amount, principal_amount }) =>
    principal_amount >= 0 && sum([principal_amount, interest_amount]) === amount
  ) &&
  sum([terms.iof_daily_amount, terms.iof_additional_amount]) === terms.iof_amount &&
  sum([terms.net_amount, terms.iof_amount, terms.fee_amount]) === terms.principal_amount &&
  [terms.iof_daily_amount, terms.iof_additional_amount, terms.fee_amount].every((amount) => amount >= 0) &&
  terms.principal_amount <= terms.gross_amount

const sum = (amounts: ReadonlyArray<number>): number => amounts.reduce((total, amount) => total + amount, 0)
