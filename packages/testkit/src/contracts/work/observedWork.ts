import {
  type Application,
  ApplicationRepository,
  centavos,
  DurableWork,
  latestQuote,
  now,
  type PartnerDetail,
  type PartnerRepository,
  UnitOfWork
} from "@lastro/domain"
import { Effect, Option } from "effect"
import { givenApplication } from "../../given/storedRecords.ts"
import { offering } from "../../lender/quoteAnswers.ts"
import { ScriptedLender } from "../../lender/ScriptedLender.ts"
import { requireContracted } from "../application/storedApplication.ts"

/** What durable work is seen by. */
export type WorkUnderTest = ApplicationRepository | DurableWork | PartnerRepository | ScriptedLender | UnitOfWork

/** What the lender's one offer pays. */
export const net = centavos(500_00)
/** One offer, under any policy. */
export const offers = offering(net)

/** Adds an application that is opened now: the work on an older quote would give up. */
export const givenPending = (partner: PartnerDetail) => Effect.flatMap(now, (at) => givenApplication(partner, { at }))

/** Waits until an application is as expected; the runner's limit ends what never comes. */
export const eventually = (application: Application, isSo: (present: Application) => boolean) =>
  Effect.gen(function*() {
    const applications = yield* ApplicationRepository
    for (;;) {
      const present = Option.getOrThrow(yield* applications.ofQuote(application.quotes[0].quote_id))
      if (isSo(present)) return present
      yield* Effect.sleep("10 millis")
    }
  })

/** Whether the latest quote has come to its end. */
export const isAnswered = (present: Application): boolean => latestQuote(present).outcome !== "PENDING"

/** Starts the work on the latest quote. */
export const startQuote = (application: Application) =>
  Effect.gen(function*() {
    yield* (yield* DurableWork).startQuote(latestQuote(application).quote_id)
  })

/** Work that is started after what is looked at, and has ended: had there been any before, it would have been begun too. */
export const afterOtherWork = (partner: PartnerDetail) =>
  Effect.gen(function*() {
    const other = yield* givenPending(partner)
    yield* (yield* UnitOfWork).atomically(startQuote(other))
    yield* eventually(other, isAnswered)
  })

/** How often the lender was asked for a quote of an application. */
export const quotesAsked = (application: Application) =>
  Effect.gen(function*() {
    const calls = yield* (yield* ScriptedLender).calls
    return calls.filter((call) => call._tag === "Quote" && call.request.application_id === application.application_id)
      .length
  })

/** What the lender was told to do about an application's contract, call by call. */
export const contractsAsked = (application: Application) =>
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
