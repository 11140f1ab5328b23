import { Effect, Option } from "effect"
import { lenderRegistry } from "../lender/Lenders.ts"
import { latestQuote } from "../loan/Application.ts"
import { nextPatience } from "../loan/continueQuote.ts"
import { type PassPatience } from "../loan/LoanCommand.ts"
import { ApplicationRepository } from "../origination/ApplicationRepository.ts"
import { nextLenders } from "../origination/routedLenders.ts"
import { type QuoteId } from "../values/ids.ts"
import { currentTimestamp, millisOf } from "../values/Timestamp.ts"
import { jobDone, type JobOutcome } from "./Job.ts"
import { recordWithFacts } from "./recordAnswer.ts"

/**
 * Continues a quote when its patience for a lender is over: completes it with the offers that it has, or requests its
 * next lender. Makes no call. Returns the time of the next run. It can be repeated at any time, even concurrently.
 */
export const runPatience = Effect.fn("runPatience")(function*(quote_id: QuoteId) {
  const found = yield* (yield* ApplicationRepository).ofQuote(quote_id)
  if (Option.isNone(found)) return jobDone
  const { quote_id: latest } = latestQuote(found.value)
  if (latest !== quote_id) return jobDone
  const registry = yield* lenderRegistry
  const after = yield* recordWithFacts(
    found.value,
    "application.quote",
    (present, at) =>
      Effect.map(
        nextLenders(registry, present.record),
        (callable): PassPatience => ({
          _tag: "PassPatience",
          at,
          quote_id,
          ...(callable === undefined ? {} : { callable })
        })
      )
  )
  const at = yield* currentTimestamp
  const next = nextPatience(latestQuote(after), at)
  const outcome: JobOutcome = next === null || latestQuote(after).quote_id !== quote_id
    ? jobDone
    : { _tag: "WAIT", after_ms: Math.max(millisOf(next) - millisOf(at), 0) }
  return outcome
})
