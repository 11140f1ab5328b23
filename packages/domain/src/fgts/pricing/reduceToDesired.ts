import { Result } from "effect"
import { type Centavos, centavos } from "../../money/Centavos.ts"
import { type Costs, costsOf } from "./costsOf.ts"
import { relativeError } from "./halfUp.ts"
import { type OfferTerms, type PricingRefusal } from "./PricedOffer.ts"

/** Returns a lower bound of the last instalment for a principal that is `more` centavos above that of `costs`. */
const whereRisen = ({ installments, principal_amount }: Costs, more: number): number => {
  const last = installments.at(-1)
  if (last === undefined) return 0
  const others = installments.reduce((sum, { value }) => sum + value, -last.value)
  const needed = (principal_amount + more - 0.5) * (1 - relativeError) - others
  return Math.floor(needed * last.amount / last.value)
}

const withLast = (terms: OfferTerms, amount: Centavos): OfferTerms => ({
  ...terms,
  installments: terms.installments.map((one, index) =>
    index === terms.installments.length - 1 ? { ...one, amount } : one
  )
})

/**
 * For a desired net amount, instalments are taken from the earliest until their net amount reaches it. The last one is then reduced to
 * the least amount that still reaches it, but not below the minimum instalment. All instalments are taken in full if they do not reach
 * the desired amount, or if there is none.
 *
 * The search climbs from the least amount. Rounding makes the net amount non-monotonic by a centavo, but it never rises by more than
 * the principal, which is monotonic. So each step may skip to the point where the principal has risen by the missing amount, without
 * passing the answer.
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
        least = Math.min(most, Math.max(least + 1, whereRisen(costs, missing)))
      }
    }
    return terms
  })
