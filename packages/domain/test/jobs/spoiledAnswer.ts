import { type QuoteAnswer, spoilOffer, usualAnswer } from "@lastro/testkit"
import { Effect } from "effect"

/** The usual answer, but the offer of fee table A has a first instalment outside the birth month. */
export const spoiledAnswer: QuoteAnswer = (request) =>
  Effect.map(usualAnswer(request), (answer) =>
    answer.kind !== "PRICED" ? answer : {
      ...answer,
      offers: answer.offers.map((offer) => ({
        ...offer,
        terms: (offer.table.code === "A" ? spoilOffer("OUTSIDE_BIRTH_MONTH", offer.terms, request) : undefined) ??
          offer.terms
      }))
    })
