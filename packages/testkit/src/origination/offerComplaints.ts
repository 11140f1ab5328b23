import { Equal } from "effect"
import { type Change, type Complaints, quoteIn, unless } from "./complaints.ts"
import { acceptOutcome, lastExpiry, lastQuote, lawfulOn, requoteOutcome } from "./naiveJudgments.ts"
import { type Observation } from "./Observed.ts"

/** 1. Another quote supersedes the older one with all its offers at once, and only when one may be asked for. */
export const supersedes = ({ after, at, before, done, outcome }: Change): Complaints => {
  if (done.does !== "requote") return [unless(before.quotes.length === after.quotes.length, "a quote out of nowhere")]
  const quote = lastQuote(after)
  return [
    unless(outcome === requoteOutcome(before, at), `asking for a quote came to ${outcome}`),
    outcome === "done"
      ? unless(
        after.quotes.length === before.quotes.length + 1 && quote.outcome === "PENDING" &&
          quote.number === after.quotes.length && after.proposal === null,
        "another quote is not the latest, or not pending"
      )
      : unless(Equal.equals(before, after), "a refused quote changed something")
  ]
}

/** 2. What comes for a quote that is not pending, or not the latest, is dropped, and brings no offer back. */
export const drops = ({ after, before, done }: Change): Complaints => {
  const late = done.does === "answer" &&
    (lastQuote(before).quote_id !== done.quote_id || lastQuote(before).outcome !== "PENDING")
  return [
    late && unless(Equal.equals(before, after), "a late answer changed something"),
    ...before.quotes.map((quote) =>
      unless(
        quote.outcome === "PENDING" || Equal.equals(quote, quoteIn(after, quote)),
        `quote ${quote.number} changed after its end`
      )
    ),
    ...before.quotes.slice(0, -1).map((quote) =>
      unless(Equal.equals(quote, quoteIn(after, quote)), `quote ${quote.number} changed although it is superseded`)
    )
  ]
}

/** 3. An offer is accepted when it is available and lawful, the KYC complete and the terms accepted; and only then. */
export const accepts = ({ after, at, before, done, outcome }: Change): Complaints => {
  if (done.does !== "accept") {
    return [unless(before.proposal !== null || after.proposal === null, "a proposal that nobody accepted")]
  }
  const expected = acceptOutcome(before, done.offer_id, at)
  const judged = expected !== "NotFound" && !done.terms_accepted ? "ValidationFailed" : expected
  return [
    unless(outcome === judged, `accepting came to ${outcome}, not to ${judged}`),
    outcome === "done"
      ? unless(after.proposal?.offer_id === done.offer_id, "what was accepted is not the proposal's offer")
      : unless(Equal.equals(before, after), "a refused acceptance changed something")
  ]
}

/** 6. Instalments obey the policy of the day they were offered for, and no offer outlives it, nor a day. */
export const obeys = ({ after }: Observation): Complaints =>
  after.quotes.flatMap((quote) =>
    quote.offers.flatMap((offer) => [
      unless(lawfulOn(quote.created_at, offer), "an offer against the law"),
      unless(
        offer.terms.installments.length <= (quote.wish.max_installments ?? Number.POSITIVE_INFINITY),
        "an offer of more instalments than wished for"
      ),
      unless(offer.expires_at <= lastExpiry(quote), "an offer that outlives its day or its policy")
    ])
  )
