import { type Application, latestQuote } from "@lastro/domain/loan"
import {
  dueDates,
  type FgtsPolicy,
  type LenderOffer,
  type LoanFee,
  type OfferTerms,
  policyOn,
  type PricedOffer,
  priceOffer,
  type QuoteWish,
  reduceToDesired
} from "@lastro/domain/offer"
import { type CalendarDate, type Centavos, centavos, percent, saoPauloDate } from "@lastro/domain/values"
import { Result } from "effect"
import { TestMistake } from "../mistake/TestMistake.ts"

/** The inputs of pricing, as quote requests contain them. */
export interface OfferedFor {
  readonly released_on: CalendarDate
  readonly policy: FgtsPolicy
  readonly customer: { readonly birth_date: CalendarDate }
  readonly wish: { readonly max_installments: number | null }
}

const monthly_rate = percent(1.8)

const priceFor = (net: Centavos, { customer, policy, released_on, wish }: OfferedFor) =>
  Result.gen(function*() {
    const count = Math.min(policy.max_installments, wish.max_installments ?? policy.max_installments)
    const amount = policy.max_installment ?? centavos(2 * net)
    const maximum: OfferTerms = {
      released_on,
      monthly_rate,
      fee: { kind: "none" },
      installments: dueDates(released_on, customer.birth_date, count).map((due_date) => ({ due_date, amount }))
    }
    const terms = yield* reduceToDesired(maximum, net, policy.min_installment)
    const { net_amount } = yield* priceOffer(terms)
    // With this fee, the net amount is exactly `net`.
    const fee: LoanFee = { kind: "fixed", amount: centavos(net_amount - net) }
    return yield* priceOffer({ ...terms, fee })
  })

/**
 * Prices an offer at 1.8 % a month that has exactly this net amount and complies with the policy. Throws a TestMistake
 * if the policy or the request allows no such offer.
 */
const termsWithNet = (net: Centavos, offered: OfferedFor): PricedOffer => {
  const terms = Result.getOrUndefined(priceFor(net, offered))
  if (terms?.net_amount !== net) {
    throw new TestMistake(`The policy or the request allows no offer with a net amount of ${net} centavos.`)
  }
  return terms
}

/** Builds an offer with exactly this net amount. Default: fee table `A`, no `valid_until`. */
export const offerWithNet = (
  net: Centavos,
  offered: OfferedFor,
  { code = "A", valid_until = null }: { readonly code?: string; readonly valid_until?: LenderOffer["valid_until"] } = {}
): LenderOffer => ({ table: { code, label: `Tabela ${code}` }, terms: termsWithNet(net, offered), valid_until })

/** Returns the pricing inputs of the latest quote of an application. */
export const offeredFor = (application: Application): OfferedFor & { readonly wish: QuoteWish } => {
  const { created_at, wish } = latestQuote(application)
  const released_on = saoPauloDate(created_at)
  return { released_on, policy: policyOn(released_on), customer: application.customer, wish }
}
