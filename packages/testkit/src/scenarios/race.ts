import { latestQuote } from "@lastro/domain/loan"
import { acceptOffer, requoteApplication, submitKyc } from "@lastro/domain/origination"
import { type OfferId, type ProposalId } from "@lastro/domain/values"
import { Effect } from "effect"
import { type LoanScenario } from "./LoanScenario.ts"

/**
 * The result of one concurrent call. `outcome` is `done` or the `_tag` of the error. `proposal_id` is the id in the
 * response, if any.
 */
export interface RaceResult {
  readonly call: "accept best" | "accept other" | "requote" | "clear a KYC field"
  readonly outcome: string
  readonly proposal_id: ProposalId | null
}

const resultOf = <E extends { readonly _tag: string }>(
  call: RaceResult["call"],
  effect: Effect.Effect<ProposalId | null, E>
): Effect.Effect<RaceResult> =>
  Effect.match(effect, {
    onFailure: ({ _tag }) => ({ call, outcome: _tag, proposal_id: null }),
    onSuccess: (proposal_id) => ({ call, outcome: "done", proposal_id })
  })

/**
 * Runs six calls concurrently: accepts each of two offers twice, requests another quote, and clears a KYC field.
 * Requires a scenario with two offers and a complete KYC.
 */
export const race = ({ application, application_id, fixture: { allowed, run } }: LoanScenario) =>
  Effect.gen(function*() {
    const [best, other] = latestQuote(yield* application).offers.map(({ offer_id }) => offer_id) as [OfferId, OfferId]
    const accept = (offer_id: OfferId) =>
      Effect.map(
        acceptOffer(allowed, application_id, offer_id, { terms_accepted: true }),
        ({ answer }) => answer.proposal_id
      )
    return yield* Effect.all([
      resultOf("accept best", run(accept(best))),
      resultOf("accept other", run(accept(other))),
      resultOf("requote", run(Effect.as(requoteApplication(allowed, application_id, {}), null))),
      resultOf("accept best", run(accept(best))),
      resultOf("clear a KYC field", run(Effect.as(submitKyc(allowed, application_id, { mother_name: null }), null))),
      resultOf("accept other", run(accept(other)))
    ], { concurrency: "unbounded" })
  })

/**
 * Runs all jobs after a race, and returns every inconsistency. A race has two allowed results:
 *
 * - One offer is accepted. All acceptances of it return the same proposal, for which the lender has one contract.
 * - The request for another quote succeeds. There is neither a proposal nor a contract.
 */
export const findRaceViolations = Effect.fnUntraced(
  function*(scenario: LoanScenario, results: ReadonlyArray<RaceResult>) {
    const isDone = (call: RaceResult["call"]): boolean =>
      results.some((result) => result.call === call && result.outcome === "done")
    const accepted = [isDone("accept best"), isDone("accept other")].filter(Boolean).length
    const returned = new Set(results.flatMap(({ proposal_id }) => proposal_id === null ? [] : [proposal_id]))
    const { proposal, quotes } = yield* scenario.application
    yield* scenario.finish
    const contracts = yield* scenario.fixture.lender.contracts
    const checks: ReadonlyArray<readonly [isViolated: boolean, violation: string]> = [
      [accepted > 1, "both offers were accepted"],
      [accepted === 1 && isDone("requote"), "an offer was accepted and another quote was requested"],
      [accepted === 0 && !isDone("requote"), "no call succeeded"],
      [accepted === 1 && isDone("clear a KYC field"), "an offer was accepted without a complete KYC"],
      [returned.size > 1, "two proposals were returned"],
      [(proposal !== null) !== (accepted === 1), "the stored proposal contradicts the responses"],
      [proposal !== null && !returned.has(proposal.proposal_id), "the stored proposal differs from the returned one"],
      [quotes.length !== (isDone("requote") ? 2 : 1), "the stored quotes contradict the responses"],
      [contracts.length !== accepted, `${contracts.length} contracts at the lender`]
    ]
    return [
      ...checks.flatMap(([isViolated, violation]) => isViolated ? [violation] : []),
      ...(yield* scenario.violations).map(({ rule, statement }) => `rule ${rule}: ${statement}`)
    ]
  }
)
