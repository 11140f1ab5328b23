import { maxCentavos } from "../values/Centavos.ts"
import { type OfferFault } from "./OfferFault.ts"
import { type PricedOffer } from "./PricedOffer.ts"

/**
 * The amounts of an offer add up to the centavo.
 *
 * - The gross amount is the sum of the instalments.
 * - Each instalment is its principal plus its interest.
 * - The principal of the offer is the sum of these principals. It is also the sum of net amount, IOF and fee. It is at
 *   most the gross amount.
 * - The IOF is its daily part plus its additional part.
 * - No tax or fee is negative. The net amount is positive.
 * @rule FGTS-16
 */
export const judgeSums = (terms: PricedOffer): OfferFault | undefined => {
  if (!(terms.net_amount > 0)) return "COSTS_TOO_HIGH"
  if (!addsUp(terms)) return "WRONG_SUM"
  const costs = [terms.iof_daily_amount, terms.iof_additional_amount, terms.fee_amount]
  return costs.every((amount) => amount >= 0) && terms.principal_amount <= terms.gross_amount
    ? undefined
    : "NEGATIVE_AMOUNT"
}

/** Compares plain numbers, because a sum of `Centavos` throws if it is out of bounds. */
const addsUp = (terms: PricedOffer): boolean =>
  isSum(terms.gross_amount, terms.installments.map(({ amount }) => amount)) &&
  isSum(terms.principal_amount, terms.installments.map(({ principal_amount }) => principal_amount)) &&
  terms.installments.every(({ amount, interest_amount, principal_amount }) =>
    isSum(amount, [principal_amount, interest_amount])
  ) &&
  isSum(terms.iof_amount, [terms.iof_daily_amount, terms.iof_additional_amount]) &&
  isSum(terms.principal_amount, [terms.net_amount, terms.iof_amount, terms.fee_amount])

const isAmount = (amount: number): boolean => Number.isInteger(amount) && Math.abs(amount) <= maxCentavos

const isSum = (total: number, amounts: ReadonlyArray<number>): boolean =>
  isAmount(total) && amounts.every(isAmount) && amounts.reduce((sum, amount) => sum + amount, 0) === total
