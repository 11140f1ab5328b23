import { Effect, Option, Result } from "effect"
import { asOperator, type InScope } from "../hierarchy/Scope.ts"
import { type CallPostponed, callWithinLimits } from "../lender/callWithinLimits.ts"
import { Lender, type LenderPending, type LenderQuotation, type LenderQuoteRequest } from "../lender/Lender.ts"
import { LenderUnavailable } from "../lender/LenderFailures.ts"
import { atLender, lenderOfRecord, lenderRegistry } from "../lender/Lenders.ts"
import { LenderSettings, type LenderSettingsValues } from "../lender/LenderSettings.ts"
import { type Application, latestQuote } from "../loan/Application.ts"
import { lateDeadline, outlastsPatience } from "../loan/continueQuote.ts"
import { type PostponedLender, type RecordQuote } from "../loan/LoanCommand.ts"
import { blockedUntil } from "../loan/pledges.ts"
import { hasPart, partAt } from "../loan/quoteParts.ts"
import { policyInForce } from "../offer/FgtsPolicy.ts"
import { type Quote } from "../offer/Quote.ts"
import { rejectionByLastro } from "../offer/rejectionByLastro.ts"
import { ApplicationRepository } from "../origination/ApplicationRepository.ts"
import { noContracts, otherContracts } from "../origination/otherContracts.ts"
import { nextLenders, withheldLenders } from "../origination/routedLenders.ts"
import { IdGenerator } from "../ports/generators.ts"
import { saoPauloDate } from "../values/CalendarDate.ts"
import { type OfferId, type QuoteId } from "../values/ids.ts"
import { addMillis, currentTimestamp, millisOf, type Timestamp } from "../values/Timestamp.ts"
import { type Job, jobDone, jobName, type JobOutcome, type JobProgress, jobStarted, ticketOf } from "./Job.ts"
import { judgePending } from "./judgeTexts.ts"
import { logThrottled, logUnavailable, waitForLender } from "./logUnavailable.ts"
import { recordWithFacts } from "./recordAnswer.ts"
import {
  deadlineMsOf,
  isAttempt,
  isLastAttempt,
  isOwnFailure,
  outcomeOfPostponed,
  pendingDelayMs,
  quoteRetryDelayMs,
  untilDeadline
} from "./retry.ts"
import { runPatience } from "./runPatience.ts"

/**
 * Turns a defect of the adapter, or an answer of the wrong type, into a missing answer if the deadline of the quote has
 * passed. So the application does not stay QUOTING. Before the deadline, the run fails and is repeated (JOB-01).
 */
const failAtDeadline = <A, E, R>(
  run: Effect.Effect<A, E, R>,
  created_at: Timestamp,
  deadline_ms: number
): Effect.Effect<A, E | LenderUnavailable, R> =>
  Effect.catchDefect(
    run,
    (defect) =>
      Effect.flatMap(currentTimestamp, (at) =>
        millisOf(at) - millisOf(created_at) >= deadline_ms
          ? Effect.fail(
            new LenderUnavailable({
              reason: "ASKED",
              detail: "the adapter, or the recording of its answer, failed with a defect"
            })
          )
          : Effect.die(defect))
  )

const judgeQuotation = (answer: LenderQuotation): Result.Result<LenderQuotation, LenderUnavailable> =>
  answer.kind === "PENDING" ? judgePending(answer) : Result.succeed(answer)

/**
 * Requests a pending quote from a lender once, and records the result. After a PENDING answer, the next request
 * contains its `lender_state`. The run can be repeated at any time, even concurrently, because only the first result is
 * recorded. Fails with Busy if a lock is not available; then run it again. `code` is the code of the lender. Default:
 * the only lender of the quote.
 */
export const runQuote = Effect.fn("runQuote")(
  function*(quote_id: QuoteId, progress: JobProgress = jobStarted, code?: string) {
    const found = yield* (yield* ApplicationRepository).ofQuote(quote_id)
    if (Option.isNone(found)) return jobDone
    const application = found.value
    const quote = latestQuote(application)
    const part = partAt(quote, code)
    if (quote.quote_id !== quote_id || part?.outcome !== "PENDING") return jobDone
    const stored = part.lender.code === "" ? null : part.lender.code
    const lender = lenderOfRecord(yield* lenderRegistry, stored)
    return lender === undefined
      ? yield* waitForLender(stored, progress)
      : yield* atLender(lender)(
        runPart(application, quote, { progress, asked_at: part.asked_at ?? quote.created_at, code })
      )
  }
)

/** The quote part that a run requests. */
interface RunningPart {
  readonly progress: JobProgress
  readonly asked_at: Timestamp
  readonly code: string | undefined
}

const runPart = Effect.fnUntraced(function*(
  application: Application,
  quote: Quote,
  running: RunningPart
) {
  const { asked_at, code, progress } = running
  const { quote_id } = quote
  const settings = yield* LenderSettings
  const lender = yield* Lender
  const job: Job = { kind: "quote", id: quote_id, lender: code }
  const ticket = ticketOf(job, progress)
  const request = quoteRequest(application, quote, running, settings)
  const late_until = lateDeadline(quote)
  const state: RunState = {
    progress,
    job,
    began_at: asked_at,
    deadlineMs: (pending) =>
      late_until === null ? deadlineMsOf(pending, settings) : Math.max(millisOf(late_until) - millisOf(asked_at), 0)
  }
  const requestOnce = Effect.gen(function*() {
    const answer = yield* Effect.fromResult(
      judgeQuotation(yield* callWithinLimits(ticket, "quote", Effect.suspend(() => lender.quote(request))))
    )
    if (answer.kind === "PENDING") return afterPending(answer, yield* currentTimestamp, state)
    yield* recordQuote(application, quote_id, answer)
    return jobDone
  })
  const afterNoAnswer = (failure: LenderUnavailable | CallPostponed) =>
    Effect.flatMap(currentTimestamp, (at) => afterFailure(failure, at, state))
  const next = yield* Effect.catchTags(failAtDeadline(requestOnce, asked_at, state.deadlineMs(isPending(progress))), {
    LenderUnavailable: afterNoAnswer,
    CallPostponed: afterNoAnswer
  })
  if (next !== null) {
    const postponed = postponedBy(next, quote, code, yield* currentTimestamp)
    if (postponed !== undefined || (yield* isWithheldNow(quote))) {
      // If a lock is not available, the quote waits for its lender. A failed run would call the lender again at once.
      yield* Effect.catchTag(runPatience(quote_id, postponed), "Busy", () => Effect.void)
    }
    return next
  }
  yield* recordQuote(application, quote_id, unreachable)
  return jobDone
})

/** Returns the lender if its next request is after the waiting time for it, and it has not answered PENDING (QUOTE-15). */
const postponedBy = (
  next: JobOutcome,
  quote: Quote,
  lender: string | undefined,
  at: Timestamp
): PostponedLender | undefined => {
  if (next._tag !== "RETRY" || lender === undefined || isPending(next.progress)) return undefined
  const until = addMillis(at, next.after_ms)
  return outlastsPatience(quote, lender, at, until) ? { lender, until } : undefined
}

/**
 * Returns whether a pending quote can continue without this lender, because its circuit breaker withholds calls
 * (QUOTE-07, QUOTE-08, QUOTE-09).
 */
const isWithheldNow = Effect.fnUntraced(function*(quote: Quote) {
  const canContinue = (["COMPLETED", "REJECTED", "WAITING"] as const).some((outcome) => hasPart(quote, outcome))
  if (quote.outcome !== "PENDING" || !canContinue) return false
  const { withheld } = yield* Lender
  return withheld !== undefined && (yield* withheld("quote")) !== null
})

interface RunState {
  readonly progress: JobProgress
  readonly job: Job & { readonly kind: "quote" }
  /** The time at which the lender was first requested. */
  readonly began_at: Timestamp
  /** Returns the time from `began_at` to the deadline, with or without a PENDING answer. */
  readonly deadlineMs: (isPending: boolean) => number
}

type Retry = Extract<JobOutcome, { readonly _tag: "RETRY" }>

const isPending = ({ lender_state }: JobProgress): boolean => lender_state !== undefined && lender_state !== null

/** Returns the next run after a PENDING answer, or null if the deadline has passed. */
const afterPending = (
  answer: LenderPending,
  at: Timestamp,
  { began_at: created_at, deadlineMs, progress }: RunState
): Retry | null => {
  const deadline_ms = deadlineMs(true)
  if (millisOf(at) - millisOf(created_at) >= deadline_ms) return null
  const { callback_key = null, lender_state } = answer
  return {
    _tag: "RETRY",
    after_ms: pendingDelayMs(answer, { created_at }, at, deadline_ms),
    progress: { attempt: progress.attempt, pauses: 0, lender_state, callback_key }
  }
}

/** Returns the next run after a call without an answer, or null if no further attempt is allowed. */
const afterFailure = Effect.fnUntraced(function*(
  failure: LenderUnavailable | CallPostponed,
  at: Timestamp,
  { began_at: created_at, deadlineMs, job, progress }: RunState
): Effect.fn.Return<Retry | null> {
  const { id: quote_id } = job
  const { attempt, pauses } = progress
  const deadline_ms = deadlineMs(isPending(progress))
  if (failure._tag === "CallPostponed") {
    if (isLastAttempt({ attempt, created_at, deadline_ms, failure: { reason: "THROTTLED" } }, at)) return null
    const postponed = outcomeOfPostponed(job, progress, failure)
    yield* logThrottled(failure, { job: jobName(job), pauses: postponed.progress.pauses })
    return { ...postponed, after_ms: untilDeadline(postponed.after_ms, created_at, at, deadline_ms) }
  }
  yield* logUnavailable("the lender did not answer a quote request", failure, { attempt, quote_id })
  if (isLastAttempt({ attempt, created_at, deadline_ms, failure, isPending: isPending(progress) }, at)) return null
  const { slot_at: _slot, ...kept } = progress
  const isOwn = isOwnFailure(failure)
  return {
    _tag: "RETRY",
    after_ms: quoteRetryDelayMs({ created_at, quote_id }, isOwn ? pauses + 1 : 1, at, {
      deadline_ms,
      retry_after_ms: failure.retry_after_ms
    }),
    progress: {
      ...kept,
      attempt: isAttempt(failure) ? attempt + 1 : attempt,
      pauses: isOwn ? pauses + 1 : pauses
    }
  }
})

const quoteRequest = (
  application: Application,
  quote: Quote,
  { asked_at, progress: { attempt, lender_state = null } }: RunningPart,
  settings: LenderSettingsValues
): LenderQuoteRequest => {
  const released_on = saoPauloDate(quote.created_at)
  return {
    application_id: application.application_id,
    partner_id: application.partner_id,
    quote_id: quote.quote_id,
    number: quote.number,
    attempt,
    requested_at: asked_at,
    customer: application.customer,
    released_on,
    policy: policyInForce(released_on, settings),
    wish: quote.wish,
    lender_state
  }
}

const recordQuote = Effect.fnUntraced(function*(
  application: Application,
  quote_id: QuoteId,
  result: RecordQuote["result"]
) {
  const ids = yield* IdGenerator
  const { max_monthly_rate, max_monthly_rate_above_policy } = yield* LenderSettings
  const operator = { max_monthly_rate, max_monthly_rate_above_policy }
  const registry = yield* lenderRegistry
  const { requirements: { name: lender } } = yield* Lender
  const offers = result.kind === "PRICED" ? result.offers : []
  const offer_ids = yield* Effect.forEach(offers, () => Effect.map(ids.next, (id) => id as OfferId))
  yield* recordWithFacts(
    application,
    "application.quote",
    (present, at) =>
      Effect.map(
        Effect.all([
          result.kind === "FAILED" ? Effect.succeed(noContracts) : contractsBelow(present, at, lender),
          nextLenders(registry, present.record),
          withheldLenders(registry, latestQuote(present.record))
        ]),
        ([{ is_known_customer, pledges }, callable, withheld]): RecordQuote => ({
          _tag: "RecordQuote",
          at,
          quote_id,
          result,
          offer_ids,
          lender,
          ...(callable === undefined ? {} : { callable }),
          withheld,
          is_known_customer,
          blocked_until: blockedUntil(pledges, present.record.customer.birth_date, at),
          ...operator
        })
      )
  )
})

/**
 * Returns the customer's other contracts. Only those of the application's partner and its descendants are in scope, so
 * that contracts elsewhere in the tree stay hidden (FGTS-62).
 */
const contractsBelow = (application: InScope<Application>, at: Timestamp, lender: string) =>
  otherContracts(application, asOperator.scope(application.record.partner_id), { at, lender })

const unreachable: RecordQuote["result"] = {
  kind: "FAILED",
  rejection: rejectionByLastro("NO_ANSWER")
}
