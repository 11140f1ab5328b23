import { type Application } from "@lastro/domain/loan"
import { type Offer, type Quote } from "@lastro/domain/offer"
import { Equal } from "effect"
import { type Snapshot } from "./Evidence.ts"
import { areAnnualWithdrawals, isLawfulAt, lastQuote, latestExpiry, requoteOutcome } from "./expectedOutcomes.ts"
import { type LoanRule, onEvery, onEveryChange, onEveryStep, refusalChangesNothing } from "./LoanRule.ts"

const isPending = ({ outcome }: { readonly outcome: string }): boolean => outcome === "PENDING"

/** Finds the quote with this id. */
export const findQuote = ({ quotes }: Application, { quote_id }: Pick<Quote, "quote_id">): Quote | undefined =>
  quotes.find((quote) => quote.quote_id === quote_id)

/** Returns whether quotes are numbered without gaps, and each was requested after the previous one was completed. */
const isConsecutive = ({ quotes }: Application): boolean =>
  quotes.every((quote, index) => {
    const next = quotes[index + 1]
    return quote.number === index + 1 &&
      (next === undefined || (quote.completed_at !== null && quote.completed_at <= next.created_at))
  })

/** Returns whether a change keeps the latest quote, completes it, or adds a quote after its completion. */
const isQuoteChange = (before: Snapshot["quote"], after: Snapshot["quote"] | undefined): boolean => {
  if (Equal.equals(before, after)) return true
  if (after?.number === before.number) return isPending(before)
  return after?.number === before.number + 1 && isPending(after) && !isPending(before)
}

const onEveryOffer = (
  statement: string,
  isKept: (offer: Offer, quote: Quote, application: Application) => boolean
): LoanRule => ({
  rule: 6,
  statement,
  isKept: ({ application }) =>
    application.quotes.every((quote) => quote.offers.every((offer) => isKept(offer, quote, application)))
})

/** Rules 1, 2 and 6: re-quotes, quote results and offers. */
export const quoteRules: ReadonlyArray<LoanRule> = [
  {
    rule: 1,
    statement: "Quotes are numbered without gaps, and each is requested after the previous one completed",
    isKept: ({ application }) => isConsecutive(application)
  },
  {
    rule: 1,
    statement: "A re-quote supersedes every older offer: an accepted offer belongs to the latest quote",
    isKept: ({ application: { proposal, quotes } }) =>
      proposal === null || lastQuote({ quotes }).offers.some(({ offer_id }) => offer_id === proposal.offer_id)
  },
  onEveryStep(
    1,
    "Only a re-quote adds a quote",
    ({ after, before, command }) => command._tag === "Requote" || before.quotes.length === after.quotes.length
  ),
  onEvery(
    "Requote",
    1,
    "A re-quote succeeds exactly when the application is quotable",
    ({ at, before, outcome }) => outcome === requoteOutcome(before, at)
  ),
  onEvery(
    "Requote",
    1,
    "A re-quote adds one pending quote and no proposal",
    ({ after, before, outcome }) =>
      outcome !== "done" || (after.quotes.length === before.quotes.length + 1 && isPending(lastQuote(after)) &&
        lastQuote(after).number === after.quotes.length && after.proposal === null)
  ),
  refusalChangesNothing("Requote", 1),
  onEvery(
    "RecordQuote",
    2,
    "A result for a quote that is not pending or not the latest is dropped",
    ({ after, before, command }) =>
      (lastQuote(before).quote_id === command.quote_id && isPending(lastQuote(before))) || Equal.equals(before, after)
  ),
  onEveryStep(
    2,
    "A completed or superseded quote never changes",
    ({ after, before }) =>
      before.quotes.every((quote) =>
        (isPending(quote) && quote === lastQuote(before)) || Equal.equals(quote, findQuote(after, quote))
      )
  ),
  onEveryChange(
    2,
    "A quote completes once, before the next one is requested",
    (before, after) => isQuoteChange(before.quote, after?.quote)
  ),
  {
    rule: 2,
    statement: "Each completed quote has one audited result",
    isKept: ({ application: { cancellation = null, quotes }, audit }) => {
      const isEndedByCancellation = ({ rejection }: (typeof quotes)[number]) =>
        cancellation !== null && Equal.equals(rejection, cancellation.rejection)
      return audit === null || audit.filter(({ action }) => action === "application.quote").length ===
          quotes.filter((quote) => !isPending(quote) && !isEndedByCancellation(quote)).length
    }
  },
  onEveryOffer(
    "Offers comply with the policy of the day on which their quote was requested",
    (offer, { created_at }, { customer }) => isLawfulAt(created_at, offer, customer)
  ),
  onEveryOffer(
    "Offers have at most as many instalments as requested",
    ({ terms }, { wish }) => terms.installments.length <= (wish.max_installments ?? Number.POSITIVE_INFINITY)
  ),
  onEveryOffer(
    "Instalments are due in the customer's birth month, after the request, in ascending years",
    ({ terms }, { created_at }, { customer }) => areAnnualWithdrawals(terms, customer, created_at)
  ),
  onEveryOffer(
    "Offers expire within 24 hours, no later than their policy ends, and before their first instalment is due",
    (offer, quote) => offer.expires_at <= latestExpiry(quote, offer)
  )
]
