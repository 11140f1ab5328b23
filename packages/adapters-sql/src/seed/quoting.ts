import {
  type Application,
  latestQuote,
  mostAttempts,
  type OfferId,
  policyOn,
  type RecordQuote,
  rejectionReason,
  sandboxAnswer,
  saoPauloDate
} from "@lastro/domain"
import { type Course } from "./Course.ts"
import { type Randomness } from "./Randomness.ts"

/** The sandbox lender's answer to the latest quote, or that it gave none. */
const answerTo = (application: Application): RecordQuote["result"] => {
  const { created_at, number, wish } = latestQuote(application)
  const released_on = saoPauloDate(created_at)
  const request = {
    number,
    requested_at: created_at,
    released_on,
    policy: policyOn(released_on),
    wish,
    customer: application.customer
  }
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    const { quotation } = sandboxAnswer({ ...request, attempt })
    if (quotation !== null) return quotation
  }
  return {
    kind: "FAILED",
    rejection: rejectionReason("UPSTREAM_UNAVAILABLE", "The lender did not answer.")
  }
}

/** Brings the pending quote to its end, some seconds later. */
export const answerQuote = (
  course: Course,
  offerId: (offer: number, at: number) => OfferId,
  random: Randomness
): void => {
  const result = answerTo(course.application)
  course.wait(1_000 + 15_000 * random.fraction())
  const { at } = course
  const count = result.kind === "PRICED" ? result.offers.length : 0
  course.ask({
    _tag: "RecordQuote",
    at,
    quote_id: latestQuote(course.application).quote_id,
    result,
    offer_ids: Array.from({ length: count }, (_, index) => offerId(index, Date.parse(at)))
  })
}
