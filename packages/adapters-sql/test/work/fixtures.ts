import {
  type Application,
  ApplicationRepository,
  DurableWork,
  latestQuote,
  now,
  type PartnerDetail,
  type ProposalId,
  type ProposalStatus,
  type QuoteId,
  type QuoteOutcome,
  UnitOfWork
} from "@lastro/domain"
import { accepted, givenApplication, type OpeningFields, quoted, saving, withKyc } from "@lastro/testkit"
import { Effect, Option } from "effect"
import { until } from "./until.ts"

/** Opens an application, as its use case does: the promise to quote it within the same transaction. */
export const openedApplication = Effect.fnUntraced(
  function*(partner: PartnerDetail, fields: OpeningFields = {}) {
    const at = yield* now
    return yield* (yield* UnitOfWork).atomically(Effect.gen(function*() {
      const application = yield* givenApplication(partner, { at, ...fields })
      yield* (yield* DurableWork).startQuote(latestQuote(application).quote_id)
      return application
    }))
  }
)

/** Accepts an offer of a fresh application, as its use case does: the promise to submit it within the same transaction. */
export const acceptedApplication = Effect.fnUntraced(function*(partner: PartnerDetail) {
  const application = yield* givenApplication(partner, { at: yield* now })
  const offered = yield* saving(application, yield* quoted(application))
  const known = yield* saving(offered, withKyc(offered))
  return yield* (yield* UnitOfWork).atomically(Effect.gen(function*() {
    const { proposal, ...rest } = yield* saving(known, yield* accepted(known))
    if (proposal === null) return yield* Effect.die("An accepted application has a proposal")
    yield* (yield* DurableWork).startContract(proposal.proposal_id, proposal.disbursement_attempt)
    return { ...rest, proposal }
  }))
})

const ofQuote = (quote: QuoteId) =>
  Effect.flatMap(ApplicationRepository, (applications) => Effect.map(applications.ofQuote(quote), Option.getOrThrow))

const ofProposal = (proposal: ProposalId) =>
  Effect.flatMap(
    ApplicationRepository,
    (applications) => Effect.map(applications.ofProposal(proposal), Option.getOrThrow)
  )

/** Waits until the first quote of an application came to this end, and answers the application as it is then. */
export const untilQuoted = Effect.fnUntraced(function*(application: Application, outcome: QuoteOutcome = "COMPLETED") {
  const { quote_id } = application.quotes[0]
  yield* until(
    `the quote is ${outcome}`,
    Effect.map(ofQuote(quote_id), ({ quotes }) => quotes[0].outcome === outcome)
  )
  return yield* ofQuote(quote_id)
})

/** Waits until a proposal has this status, and answers the application as it is then. */
export const untilMoved = Effect.fnUntraced(function*(proposal: ProposalId, status: ProposalStatus) {
  yield* until(
    `the proposal is ${status}`,
    Effect.map(ofProposal(proposal), (application) => application.proposal?.status === status)
  )
  return yield* ofProposal(proposal)
})
