import { Effect, Option } from "effect"
import { type LenderRegistry, lenderRegistry } from "../lender/Lenders.ts"
import { latestQuote } from "../loan/Application.ts"
import { nextPatience } from "../loan/continueQuote.ts"
import { type PassPatience, type PostponedLender } from "../loan/LoanCommand.ts"
import { ApplicationRepository } from "../origination/ApplicationRepository.ts"
import { nextLenders, withheldLenders } from "../origination/routedLenders.ts"
import { type QuoteId } from "../values/ids.ts"
import { currentTimestamp, millisOf } from "../values/Timestamp.ts"
import { jobDone, type JobOutcome } from "./Job.ts"
import { carryOut } from "./recordAnswer.ts"
import { quoteDeadlineMs } from "./retry.ts"

/**
 * Time between the longest deadline of a job and the failure of its pending lender, in milliseconds. The job makes its
 * last call at its deadline, and can still get the answer.
 */
const slackMs = 60_000

/** Returns the longest time for which the job of a pending lender runs, in milliseconds. */
const longestDeadlineMs = ({ lenders }: LenderRegistry): number =>
  Math.max(quoteDeadlineMs, ...lenders.map(({ settings }) => settings.quote_deadline_ms)) + slackMs

/**
 * Continues a quote after a waiting time, or after a lender was postponed (QUOTE-15): completes it with its present
 * offers, requests its next lender, or fails overdue lenders. Makes no call. The job runs again when the quote changes
 * next (QUOTE-10), and ends when no lender of the quote is pending. A run can be repeated at any time, even concurrently.
 */
export const runPatience = Effect.fn("runPatience")(function*(quote_id: QuoteId, postponed?: PostponedLender) {
  const found = yield* (yield* ApplicationRepository).ofQuote(quote_id)
  if (Option.isNone(found) || latestQuote(found.value).quote_id !== quote_id) return jobDone
  const registry = yield* lenderRegistry
  const deadline_ms = longestDeadlineMs(registry)
  const { after, command } = yield* carryOut(
    found.value,
    "application.quote",
    (present, at) =>
      Effect.map(
        Effect.all([nextLenders(registry, present.record), withheldLenders(registry, latestQuote(present.record))]),
        ([callable, withheld]): PassPatience => ({
          _tag: "PassPatience",
          at,
          quote_id,
          deadline_ms,
          withheld,
          ...(postponed === undefined ? {} : { postponed }),
          ...(callable === undefined ? {} : { callable })
        })
      )
  )
  const quote = latestQuote(after)
  // `nextPatience` gets the time of the decision. A time that has passed since then is handled by the next run.
  const next = quote.quote_id === quote_id ? nextPatience(quote, command.at, deadline_ms) : null
  if (next === null) return jobDone
  const outcome: JobOutcome = {
    _tag: "WAIT",
    after_ms: Math.max(millisOf(next) - millisOf(yield* currentTimestamp), 0)
  }
  return outcome
})
