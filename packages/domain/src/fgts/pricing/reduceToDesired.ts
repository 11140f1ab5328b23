import { Result } from "effect"
import { type Centavos, centavos } from "../../money/Centavos.ts"
import { type Costs, costsOf } from "./costsOf.ts"
import { relativeError } from "./halfUp.ts"
import { type OfferTerms } from "./PricedOffer.ts"
import { type PricingRefusal } from "./PricingRefusals.ts"

/** No amount of the last instalment below this one makes the principal `more` centavos greater than `costs` has it. */
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
 * Instalments are taken from the earliest until their net amount reaches the desired one, and the last of them is
 * reduced to the least amount with which it still does, but not below the least that is allowed. All are taken as they
 * are when they do not reach it, or when no amount is desired.
 *
 * The net amount mostly rises with an instalment but, as its parts are rounded, falls by a centavo here and there. It
 * never rises by more than the principal does, though, which never falls. So the search climbs from the least amount:
 * while something is missing, it goes on where the principal has risen by that much, and cannot pass the answer.
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
