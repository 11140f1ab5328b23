import { type Application, latestQuote } from "@lastro/domain/loan"
import { ApplicationRepository, DurableWork } from "@lastro/domain/origination"
import { type PartnerDetail, type PartnerRepository } from "@lastro/domain/partner"
import { UnitOfWork } from "@lastro/domain/ports"
import { centavos, currentTimestamp, millisOf, type Timestamp, timestampOf } from "@lastro/domain/values"
import { Effect, Option } from "effect"
import { storeApplication } from "../../builders/storedRecords.ts"
import { offering } from "../../lender/quoteAnswers.ts"
import { ScriptedLender } from "../../lender/ScriptedLender.ts"
import { requireContracted } from "../suite/storedRecords.ts"

/** The ports that the cases of DurableWork use. */
export type DurableWorkPorts = ApplicationRepository | DurableWork | PartnerRepository | ScriptedLender | UnitOfWork

/** The net amount of {@link offerAnswer}. */
export const netAmount = centavos(500_00)

/** A lender answer with one offer, which every policy allows. */
export const offerAnswer = offering(netAmount)

/**
 * Stores an application that is created at the current time. If it were created earlier, the deadline of its quote could already have
 * passed.
 */
export const storePending = (partner: PartnerDetail) =>
  Effect.flatMap(currentTimestamp, (at) => storeApplication(partner, { at }))

/** Polls an application until a condition holds. If it never holds, the case times out. */
export const awaitState = (application: Application, condition: (present: Application) => boolean) =>
  Effect.gen(function*() {
    const applications = yield* ApplicationRepository
    for (;;) {
      const present = Option.getOrThrow(yield* applications.ofQuote(application.quotes[0].quote_id))
      if (condition(present)) return present
      yield* Effect.sleep("10 millis")
    }
  })

/** Returns whether the latest quote has an outcome. */
export const isAnswered = (present: Application): boolean => latestQuote(present).outcome !== "PENDING"

/** Starts the job of the latest quote. */
export const startQuote = (application: Application) =>
  DurableWork.use((work) => work.startQuote(latestQuote(application).quote_id))

/** Runs the quote job of another application to its end. By then, all jobs that were started earlier have begun. */
export const runOtherJob = (partner: PartnerDetail) =>
  Effect.gen(function*() {
    const other = yield* storePending(partner)
    yield* (yield* UnitOfWork).atomically(startQuote(other))
    yield* awaitState(other, isAnswered)
  })

/** Counts the quote requests of an application to the lender. */
export const countQuoteRequests = (application: Application) =>
  Effect.gen(function*() {
    const calls = yield* (yield* ScriptedLender).calls
    return calls.filter((call) => call._tag === "Quote" && call.request.application_id === application.application_id)
      .length
  })

/** Lists the calls to the lender about the contract of an application. */
export const listContractCalls = (application: Application) =>
  Effect.gen(function*() {
    const calls = yield* (yield* ScriptedLender).calls
    const { proposal_id } = requireContracted(application).proposal
    return calls.flatMap((call) =>
      call._tag === "Submit" && call.submission.proposal_id === proposal_id
        ? ["submit"]
        : call._tag === "Resubmit" && call.resubmission.proposal_id === proposal_id
        ? ["resubmit"]
        : []
    )
  })

/** The time in one hour. */
export const inAnHour = Effect.map(currentTimestamp, (at): Timestamp => timestampOf(millisOf(at) + 3_600_000))

/** Makes a job due. The target names the job by an id or a callback key. */
export const makeDue = (target: Parameters<DurableWork["Service"]["makeDue"]>[0]) =>
  DurableWork.use((work) => work.makeDue(target))

/** Waits until the lender has received this number of requests for quotes of an application. */
export const awaitRequests = (application: Application, count: number) =>
  Effect.gen(function*() {
    while ((yield* countQuoteRequests(application)) < count) yield* Effect.sleep("10 millis")
  })

/** Returns the requests for quotes of an application that the lender has received, in order. */
export const requestsOf = (application: Application) =>
  Effect.gen(function*() {
    const calls = yield* (yield* ScriptedLender).calls
    return calls.flatMap((call) =>
      call._tag === "Quote" && call.request.application_id === application.application_id ? [call.request] : []
    )
  })
