import { Result } from "effect"
import { type Centavos, centavos } from "../values/Centavos.ts"
import { type Costs, costsOf } from "./costsOf.ts"
import { presentValueError } from "./halfUp.ts"
import { type OfferTerms, type PricingRefusal } from "./PricedOffer.ts"

/** Returns a lower bound of the last instalment that makes the principal `more` centavos greater than in `costs`. */
const leastLastAmount = ({ installments, principal_amount }: Costs, more: number): number => {
  const last = installments.at(-1)
  if (last === undefined) return 0
  const others = installments.reduce((sum, { value }) => sum + value, -last.value)
  const needed = (principal_amount + more - 0.5) * (1 - presentValueError) - others
  return Math.floor(needed * last.amount / last.value)
}

const withLast = (terms: OfferTerms, amount: Centavos): OfferTerms => ({
  ...terms,
  installments: terms.installments.map((installment, index) =>
    index === terms.installments.length - 1 ? { ...installment, amount } : installment
  )
})

/**
 * For a desired net amount, instalments are added, earliest first, until the net amount reaches it. The last instalment
 * is then reduced as far as possible: the desired amount is still reached, and the instalment is not below its minimum.
 * Without a desired amount, or if all instalments do not reach it, all are kept in full.
 * @rule PRICE-13
 */
export const reduceToDesired = (
  terms: OfferTerms,
  desired_amount: Centavos | null,
  min_installment: Centavos | null
): Result.Result<OfferTerms, PricingRefusal> =>
  Result.gen(function*() {
    if (desired_amount === null) return terms
    for (const [index, { amount: most }] of terms.installments.entries()) {
      const taken = { ...terms, installments: terms.installments.slice(0, index + 1) }
      if ((yield* costsOf(taken)).net_amount < desired_amount) continue
      let least = Math.min(most, Math.max(1, min_installment ?? 1))
      for (;;) {
        const reduced = withLast(taken, centavos(least))
        const costs = yield* costsOf(reduced)
        const missing = desired_amount - costs.net_amount
        if (missing <= 0) return reduced
        // Amounts are tried in ascending order, because rounding can make the net amount of a greater instalment a
        // centavo lower. Amounts that are surely too small are skipped: the principal must grow by at least `missing`.
        least = Math.min(most, Math.max(least + 1, leastLastAmount(costs, missing)))
      }
    }
    return terms
  })
