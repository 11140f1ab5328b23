import { type Application, latestQuote, type ProposalStatus } from "@lastro/domain/loan"
import { type QuoteOutcome } from "@lastro/domain/offer"
import { ApplicationRepository, DurableWork } from "@lastro/domain/origination"
import { type PartnerDetail } from "@lastro/domain/partner"
import { UnitOfWork } from "@lastro/domain/ports"
import { currentTimestamp, type ProposalId, type QuoteId } from "@lastro/domain/values"
import {
  acceptQuotedOffer,
  answerWithOffers,
  type OpeningFields,
  saveApplication,
  storeApplication,
  submitExampleKyc
} from "@lastro/testkit"
import { Effect, Option } from "effect"
import { waitUntil } from "../coordination.ts"

/** Opens an application as its use case does: starts the job of its quote in the same transaction. */
export const openApplication = Effect.fnUntraced(
  function*(partner: PartnerDetail, fields: OpeningFields = {}) {
    const at = yield* currentTimestamp
    return yield* (yield* UnitOfWork).atomically(Effect.gen(function*() {
      const application = yield* storeApplication(partner, { at, ...fields })
      yield* (yield* DurableWork).startQuote(latestQuote(application).quote_id)
      return application
    }))
  }
)

/** Accepts an offer of a new application as its use case does: starts the job of the contract in the same transaction. */
export const acceptApplication = Effect.fnUntraced(function*(partner: PartnerDetail) {
  const application = yield* storeApplication(partner, { at: yield* currentTimestamp })
  const offered = yield* saveApplication(application, yield* answerWithOffers(application))
  const identified = yield* saveApplication(offered, submitExampleKyc(offered))
  return yield* (yield* UnitOfWork).atomically(Effect.gen(function*() {
    const { proposal, ...rest } = yield* saveApplication(identified, yield* acceptQuotedOffer(identified))
    if (proposal === null) return yield* Effect.die("An accepted application has a proposal")
    yield* (yield* DurableWork).startContract(proposal.proposal_id)
    return { ...rest, proposal }
  }))
})

const findByQuote = (quote: QuoteId) =>
  Effect.flatMap(ApplicationRepository, (applications) => Effect.map(applications.ofQuote(quote), Option.getOrThrow))

const findByProposal = (proposal: ProposalId) =>
  Effect.flatMap(
    ApplicationRepository,
    (applications) => Effect.map(applications.ofProposal(proposal), Option.getOrThrow)
  )

/** Waits until the first quote of an application has this outcome. Returns the application. */
export const awaitQuote = Effect.fnUntraced(function*(application: Application, outcome: QuoteOutcome = "COMPLETED") {
  const { quote_id } = application.quotes[0]
  yield* waitUntil(
    `the quote is ${outcome}`,
    Effect.map(findByQuote(quote_id), ({ quotes }) => quotes[0].outcome === outcome)
  )
  return yield* findByQuote(quote_id)
})

/** Waits until a proposal has this status. Returns its application. */
export const awaitProposalStatus = Effect.fnUntraced(function*(proposal: ProposalId, status: ProposalStatus) {
  yield* waitUntil(
    `the proposal is ${status}`,
    Effect.map(findByProposal(proposal), (application) => application.proposal?.status === status)
  )
  return yield* findByProposal(proposal)
})
