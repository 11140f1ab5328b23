import { saveApplication } from "@lastro/testkit"
import { type Application, latestQuote } from "../../src/loan/Application.ts"

/** Keeps only some instalments of the stored offers, so that two applications share no year. */
export const keepInstallments = (application: Application, from: number, to?: number) => {
  const quote = latestQuote(application)
  const offers = quote.offers.map((offer) => ({
    ...offer,
    terms: { ...offer.terms, installments: offer.terms.installments.slice(from, to) }
  }))
  return saveApplication(application, {
    ...application,
    quotes: [{ ...quote, offers }],
    version: application.version + 1
  })
}
