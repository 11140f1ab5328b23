import { Result } from "effect"
import { checkPolicy } from "../policy/checkPolicy.ts"
import { type FgtsPolicy } from "../policy/Policy.ts"
import { type PricedOffer } from "../pricing/PricedOffer.ts"
import { type QuoteWish } from "./Quote.ts"
import { type RejectionReason, rejectionReason } from "./RejectionReason.ts"

/**
 * A lender's offer is stored only if it meets all of these conditions. Its instalments comply with the policy, and their number with the
 * requested maximum. Its amounts add up: the gross amount is the sum of the instalments, the principal is the sum of their principals, each
 * instalment is its principal plus its interest, the IOF is the sum of both taxes, and the principal is the sum of net amount, IOF and fee.
 * No principal, tax or fee is negative. The net amount is positive, and the principal is at most the gross amount.
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
  const compliant = Result.isSuccess(checkPolicy(policy, installments.map(({ amount }) => amount)))
  return compliant && installments.length <= (max_installments ?? policy.max_installments) && addsUp(terms)
    ? Result.void
    : Result.fail(rejectionReason("LENDER_POLICY", "The lender's offer does not comply with the rules in force."))
}

/** Compares sums as plain numbers, so that an amount out of bounds fails the comparison instead of throwing. */
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
