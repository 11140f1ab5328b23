import { type Application, latestQuote } from "@lastro/domain/loan"
import { ApplicationRepository, DurableWork } from "@lastro/domain/origination"
import { type PartnerRepository } from "@lastro/domain/partner"
import { type UnitOfWork } from "@lastro/domain/ports"
import { addMillis, centavos, currentTimestamp, type Timestamp } from "@lastro/domain/values"
import { Effect, Option } from "effect"
import { storeApplication, storeRootPartner } from "../../builders/storedRecords.ts"
import { offering, type QuoteAnswer } from "../../lender/quoteAnswers.ts"
import { type InTurn, ScriptedLender } from "../../lender/ScriptedLender.ts"
import { proposalIdOf } from "../suite/storedRecords.ts"
import { atomically } from "../suite/transactions.ts"

/** The ports that the cases of DurableWork use. */
export type DurableWorkPorts = ApplicationRepository | DurableWork | PartnerRepository | ScriptedLender | UnitOfWork

/** The net amount of {@link offerAnswer}. */
export const netAmount = centavos(500_00)

/** A lender answer with one offer, which every policy allows. */
export const offerAnswer = offering(netAmount)

/** Sets the answers of the lender to the next quote requests. */
export const setQuoteAnswers = (...answers: InTurn<QuoteAnswer>) =>
  ScriptedLender.use((lender) => lender.setQuoteAnswers(...answers))

/** Stores an application that is created now, so that its quote has not passed its deadline. */
export const storePending = Effect.gen(function*() {
  return yield* storeApplication(yield* storeRootPartner(), { at: yield* currentTimestamp })
})

/** Reads an application until a condition holds. The case times out if the condition never holds. */
export const awaitState = Effect.fnUntraced(function*(
  { quotes: [{ quote_id }] }: Application,
  condition: (present: Application) => boolean
) {
  for (;;) {
    const present = Option.getOrThrow(yield* (yield* ApplicationRepository).ofQuote(quote_id))
    if (condition(present)) return present
    yield* Effect.sleep("25 millis")
  }
})

/** Returns whether the latest quote has an outcome. */
export const isAnswered = (present: Application): boolean => latestQuote(present).outcome !== "PENDING"

/** Waits until the latest quote of an application has an outcome. */
export const awaitAnswer = (application: Application) => awaitState(application, isAnswered)

/** Starts the job of the latest quote. */
export const startQuote = (application: Application) =>
  DurableWork.use((work) => work.startQuote(latestQuote(application).quote_id))

/** Starts the job of the contract of an application. */
export const startContract = (application: Application) =>
  DurableWork.use((work) => work.startContract(proposalIdOf(application)))

/** Stores an application, sets the answers to its quote requests, and starts the job of its quote. */
export const startPending = Effect.fnUntraced(function*(...answers: InTurn<QuoteAnswer>) {
  const application = yield* storePending
  yield* setQuoteAnswers(...answers)
  yield* atomically(startQuote(application))
  return application
})

/** Like {@link startPending}, but also waits for the first request. */
export const startRequested = Effect.fnUntraced(function*(...answers: InTurn<QuoteAnswer>) {
  const application = yield* startPending(...answers)
  yield* awaitRequests(application, 1)
  return application
})

/** Runs the quote job of another application to its end. All jobs that were started earlier have begun by then. */
export const runOtherJob = Effect.gen(function*() {
  const application = yield* storePending
  yield* atomically(startQuote(application))
  yield* awaitAnswer(application)
})

/** Returns the quote requests of an application that the lender has received, in order. */
export const requestsOf = ({ application_id }: Application) =>
  Effect.map(
    ScriptedLender.use((lender) => lender.calls),
    (calls) =>
      calls.flatMap((call) =>
        call._tag === "Quote" && call.request.application_id === application_id ? [call.request] : []
      )
  )

/** Returns the `lender_state` of each quote request of an application, in order. */
export const statesOf = (application: Application) =>
  Effect.map(requestsOf(application), (requests) => requests.map(({ lender_state }) => lender_state))

/** Returns the number of quote requests of an application to the lender. */
export const countQuoteRequests = (application: Application) =>
  Effect.map(requestsOf(application), (requests) => requests.length)

/** Waits until the lender has received this number of quote requests of an application. */
export const awaitRequests = Effect.fnUntraced(function*(application: Application, count: number) {
  while ((yield* countQuoteRequests(application)) < count) yield* Effect.sleep("25 millis")
})

/** Returns `submit` or `resubmit` for each such call to the lender about the contract of an application, in order. */
export const listContractCalls = (application: Application) =>
  Effect.map(ScriptedLender.use((lender) => lender.calls), (calls) => {
    const proposal_id = proposalIdOf(application)
    return calls.flatMap((call) => {
      if (call._tag === "Submit" && call.submission.proposal_id === proposal_id) return ["submit"]
      return call._tag === "Resubmit" && call.resubmission.proposal_id === proposal_id ? ["resubmit"] : []
    })
  })

/** The time one hour from now. */
export const inAnHour = Effect.map(currentTimestamp, (at): Timestamp => addMillis(at, 3_600_000))

/** Makes a job due. The target names the job by an id or a callback key. */
export const makeDue = (target: Parameters<DurableWork["Service"]["makeDue"]>[0]) =>
  DurableWork.use((work) => work.makeDue(target))

/** Makes the job of the latest quote of an application due, like a callback that contains `fields`. */
export const makeQuoteDue = (application: Application, fields: { readonly lender_state?: string } = {}) =>
  makeDue({ kind: "quote", id: latestQuote(application).quote_id, ...fields })
