import {
  type Application,
  latestQuote,
  millisOf,
  obeysPolicy,
  type Offer,
  offerLifetimeMs,
  policyEnds,
  policyOn,
  type Quote,
  saoPauloDate
} from "@lastro/domain"
import { Equal, Result } from "effect"
import { type AuditedApplication } from "./AuditedApplication.ts"
import { type OriginationRule } from "./Origination.ts"

const isPending = ({ outcome }: { readonly outcome: string }): boolean => outcome === "PENDING"

/** From one deed to the next a quote stays as it is, comes to its end, or is followed by another. */
const isStep = (before: AuditedApplication["quote"], after: AuditedApplication["quote"] | undefined): boolean =>
  Equal.equals(before, after) || (after?.number === before.number
    ? isPending(before)
    : after?.number === before.number + 1 && isPending(after) && !isPending(before))

/** A quote is over before the next is requested, and does nothing any more. */
const follows = ({ quotes }: Application): boolean =>
  quotes.every((quote, index) => {
    const next = quotes[index + 1]
    return quote.number === index + 1 &&
      (next === undefined || (quote.completed_at !== null && quote.completed_at <= next.created_at))
  })

const amountsOf = ({ terms }: Offer) => terms.installments.map(({ amount }) => amount)

const lastsLawfully = ({ completed_at, created_at }: Quote, { expires_at }: Offer): boolean => {
  const ends = policyEnds(policyOn(saoPauloDate(created_at)))
  return completed_at !== null && millisOf(expires_at) <= millisOf(completed_at) + offerLifetimeMs &&
    (ends === null || expires_at <= ends)
}

/** What a quote and its offers are, whatever happens at once. */
export const quoteRules: ReadonlyArray<OriginationRule> = [
  ["Quotes are numbered without gaps, and each is requested once the one before has come to its end", follows],
  [
    "A newer quote supersedes every older offer: only one of the latest quote is accepted",
    (application) =>
      application.proposal === null ||
      latestQuote(application).offers.some(({ offer_id }) => offer_id === application.proposal?.offer_id)
  ],
  [
    "What came of a quote never changes, and no other is requested before",
    (_, { deeds }) => deeds.every(({ after, before }) => before === null || isStep(before.quote, after?.quote))
  ],
  [
    "The first answer to a quote counts, and no other",
    ({ quotes }, { deeds }) =>
      deeds.filter(({ action }) => action === "application.quote").length ===
        quotes.filter((quote) => !isPending(quote)).length
  ],
  [
    "Offers obey the policy of the day of their quote, and do not outlive it nor their lifetime",
    ({ quotes }) =>
      quotes.every((quote) =>
        quote.offers.every((offer) =>
          Result.isSuccess(obeysPolicy(policyOn(saoPauloDate(quote.created_at)), amountsOf(offer))) &&
          lastsLawfully(quote, offer)
        )
      )
  ]
]
