import { Result } from "effect"
import { checkPolicy } from "../policy/checkPolicy.ts"
import { type FgtsPolicy } from "../policy/Policy.ts"
import { type PricedOffer } from "../pricing/PricedOffer.ts"
import { type QuoteWish } from "./Quote.ts"
import { type RejectionReason, rejectionReason } from "./RejectionReason.ts"

/**
 * A lender's offer is accepted into the record only if its instalments obey the policy and the requested maximum, its sums match
 * (instalments and gross; instalment principals and principal; both taxes and IOF; net, IOF, fee and principal), no part is negative, and
 * the net amount is positive and at most the gross.
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
  const obedient = Result.isSuccess(checkPolicy(policy, installments.map(({ amount }) => amount)))
  return obedient && installments.length <= (max_installments ?? policy.max_installments) && addsUp(terms)
    ? Result.void
    : Result.fail(rejectionReason("LENDER_POLICY", "The lender's offer does not obey the rules in force."))
}

/** Compares sums as plain numbers, so that an amount out of bounds fails the comparison and does not throw. */
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
