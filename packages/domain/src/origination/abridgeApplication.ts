import { type Application, latestQuote } from "../loan/Application.ts"
import { type Offer } from "../offer/Offer.ts"

const withoutInstallments = (offer: Offer): Offer => ({ ...offer, terms: { ...offer.terms, installments: [] } })

/**
 * Removes the parts of an application that its list item does not need. The result keeps only the latest quote, with
 * its best offer and the offer that expires last, both without instalments, and the proposal without its history. The
 * list item of the result always equals the list item of the whole application.
 */
export const abridgeApplication = (application: Application): Application => {
  const quote = latestQuote(application)
  const [best, ...others] = quote.offers
  const last = others.reduce(
    (last, offer) => last !== undefined && offer.expires_at > last.expires_at ? offer : last,
    best
  )
  const offers = best === undefined ? [] : best === last || last === undefined ? [best] : [best, last]
  return {
    ...application,
    quotes: [{ ...quote, offers: offers.map(withoutInstallments), unpriced: [] }],
    proposal: application.proposal === null ? null : { ...application.proposal, status_history: [] }
  }
}
