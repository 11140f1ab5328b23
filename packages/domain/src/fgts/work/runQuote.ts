import { Effect, Option, Result } from "effect"
import { IdGenerator } from "../../id/IdGenerator.ts"
import { type OfferId, type QuoteId } from "../../id/ids.ts"
import { saoPauloDate } from "../../time/CalendarDate.ts"
import { currentTimestamp, millisOf } from "../../time/Timestamp.ts"
import { type Application, latestQuote } from "../application/Application.ts"
import { decideRecordQuote, type RecordQuote } from "../application/decideQuote.ts"
import { Lender, type LenderQuoteRequest } from "../lender/Lender.ts"
import { LenderSettings } from "../lender/LenderSettings.ts"
import { ApplicationRepository } from "../origination/ApplicationRepository.ts"
import { policyOn } from "../policy/Policy.ts"
import { type Quote } from "../quote/Quote.ts"
import { rejectionByLastro } from "../quote/rejectionByLastro.ts"
import { callLender } from "./callLender.ts"
import { jobDone, type JobOutcome, type JobProgress, jobStarted } from "./Job.ts"
import { recordFromLender } from "./recordFromLender.ts"
import { isLastAttempt, quoteRetryDelayMs } from "./retry.ts"
import { warnOfUnlawfulOffers } from "./warnOfUnlawfulOffers.ts"

/**
 * Requests a pending quote from the lender once, and records the result. It can run again at any time, even concurrently, because only the
 * first result is recorded. Fails with Busy if a lock is not available. In that case, run it again.
 */
export const runQuote = Effect.fn("runQuote")(function*(quote_id: QuoteId, progress: JobProgress = jobStarted) {
  const found = yield* (yield* ApplicationRepository).ofQuote(quote_id)
  if (Option.isNone(found)) return jobDone
  const application = found.value
  const quote = latestQuote(application)
  if (quote.quote_id !== quote_id || quote.outcome !== "PENDING") return jobDone
  const answer = yield* Effect.result(callLender((yield* Lender).quote(quoteRequest(application, quote, progress))))
  if (Result.isSuccess(answer)) {
    if (answer.success.kind === "PENDING") {
      const pause = millisOf(answer.success.look_at) - millisOf(yield* currentTimestamp)
      const look: JobOutcome = { _tag: "RETRY", after_ms: Math.max(pause, 0), progress }
      return look
    }
    yield* recordQuote(application, quote_id, answer.success)
    return jobDone
  }
  const { failure } = answer
  const { attempt, pauses } = progress
  yield* Effect.annotateLogs(Effect.logWarning("the lender did not answer a quote request"), {
    quote_id,
    attempt,
    reason: failure.reason,
    detail: failure.detail
  })
  const at = yield* currentTimestamp
  if (isLastAttempt({ attempt, created_at: quote.created_at, failure }, at)) {
    yield* recordQuote(application, quote_id, unreachable)
    return jobDone
  }
  const next: JobOutcome = {
    _tag: "RETRY",
    after_ms: quoteRetryDelayMs(quote, pauses + 1, at),
    progress: { attempt: failure.reason === "ASKED" ? attempt + 1 : attempt, pauses: pauses + 1 }
  }
  return next
})

const quoteRequest = (application: Application, quote: Quote, { attempt }: JobProgress): LenderQuoteRequest => {
  const released_on = saoPauloDate(quote.created_at)
  return {
    application_id: application.application_id,
    quote_id: quote.quote_id,
    number: quote.number,
    attempt,
    requested_at: quote.created_at,
    customer: application.customer,
    released_on,
    policy: policyOn(released_on),
    wish: quote.wish,
    lender_state: null
  }
}

const recordQuote = Effect.fnUntraced(function*(
  application: Application,
  quote_id: QuoteId,
  result: RecordQuote["result"]
) {
  const ids = yield* IdGenerator
  const { max_monthly_rate } = yield* LenderSettings
  yield* warnOfUnlawfulOffers(application, { at: yield* currentTimestamp, max_monthly_rate, result })
  const offers = result.kind === "PRICED" ? result.offers : []
  const offer_ids = yield* Effect.forEach(offers, () => Effect.map(ids.next, (id) => id as OfferId))
  yield* recordFromLender(
    application,
    "application.quote",
    (present, at) =>
      decideRecordQuote(present, { _tag: "RecordQuote", at, quote_id, result, offer_ids, max_monthly_rate })
  )
})

const unreachable: RecordQuote["result"] = {
  kind: "FAILED",
  rejection: rejectionByLastro("NO_ANSWER")
}
