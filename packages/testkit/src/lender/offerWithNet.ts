import {
  type CalendarDate,
  type Centavos,
  centavos,
  dueDates,
  type Fee,
  type FgtsPolicy,
  type LenderOffer,
  type OfferTerms,
  percent,
  type PricedOffer,
  priceOffer,
  reduceToDesired
} from "@lastro/domain"
import { Result } from "effect"
import { TestMistake } from "../given/TestMistake.ts"

/** What an offer is priced for. A quote's request says it all. */
export interface OfferedFor {
  readonly released_on: CalendarDate
  readonly policy: FgtsPolicy
  readonly customer: { readonly birth_date: CalendarDate }
  readonly wish: { readonly max_installments: number | null }
}

const monthly_rate = percent(1.8)

const priced = (net: Centavos, { customer, policy, released_on, wish }: OfferedFor) =>
  Result.gen(function*() {
    const count = Math.min(policy.max_installments, wish.max_installments ?? policy.max_installments)
    const amount = policy.max_installment ?? centavos(2 * net)
    const most: OfferTerms = {
      released_on,
      monthly_rate,
      fee: { kind: "none" },
      installments: dueDates(released_on, customer.birth_date, count).map((due_date) => ({ due_date, amount }))
    }
    const terms = yield* reduceToDesired(most, net, policy.min_installment)
    const { net_amount } = yield* priceOffer(terms)
    // What is more than wished for goes to the lender, so that the net amount is exact.
    const fee: Fee = { kind: "fixed", amount: centavos(net_amount - net) }
    return yield* priceOffer({ ...terms, fee })
  })

/**
 * Terms of 1.8 % a month that pay the customer exactly this much, priced for real and lawful under the policy. Throws a
 * TestMistake where the policy or the wish allow no such offer.
 */
const termsWithNet = (net: Centavos, offered: OfferedFor): PricedOffer => {
  const terms = Result.getOrUndefined(priced(net, offered))
  if (terms?.net_amount !== net) throw new TestMistake(`no lawful offer pays ${net} centavos`)
  return terms
}

/** A table's offer that pays the customer exactly this much; by table `A`, and for as long as an offer lasts. */
export const offerWithNet = (
  net: Centavos,
  offered: OfferedFor,
  { code = "A", valid_until = null }: { readonly code?: string; readonly valid_until?: LenderOffer["valid_until"] } = {}
): LenderOffer => ({ table: { code, label: `Tabela ${code}` }, terms: termsWithNet(net, offered), valid_until })
