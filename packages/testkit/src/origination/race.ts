import { acceptOffer, type OfferId, type ProposalId, requoteApplication, submitKyc } from "@lastro/domain"
import { Effect } from "effect"
import { lastQuote } from "./naiveJudgments.ts"
import { type OriginationStory } from "./OriginationStory.ts"

/** What became of one who raced: who it was, `done` or the tag of the refusal, and the proposal that it was told of. */
export interface Raced {
  readonly racer: "accept best" | "accept other" | "requote" | "clear a KYC field"
  readonly outcome: string
  readonly proposal_id: ProposalId | null
}

const cleared = { mother_name: null }

const racing = <E extends { readonly _tag: string }>(
  racer: Raced["racer"],
  effect: Effect.Effect<ProposalId | null, E>
): Effect.Effect<Raced> =>
  Effect.match(effect, {
    onFailure: ({ _tag }) => ({ racer, outcome: _tag, proposal_id: null }),
    onSuccess: (proposal_id) => ({ racer, outcome: "done", proposal_id })
  })

/**
 * Both offers of a story that has two and a complete KYC are accepted, each twice, while another quote is asked for and a field
 * of the KYC is cleared: all at once.
 */
export const race = ({ application_id, present, world: { allowed, run } }: OriginationStory) =>
  Effect.gen(function*() {
    const [best, other] = lastQuote(yield* present).offers.map(({ offer_id }) => offer_id) as [OfferId, OfferId]
    const accept = (offer_id: OfferId) =>
      Effect.map(
        acceptOffer(allowed, application_id, offer_id, { terms_accepted: true }),
        ({ proposal_id }) => proposal_id
      )
    return yield* Effect.all([
      racing("accept best", run(accept(best))),
      racing("accept other", run(accept(other))),
      racing("requote", run(Effect.as(requoteApplication(allowed, application_id, {}), null))),
      racing("accept best", run(accept(best))),
      racing("clear a KYC field", run(Effect.as(submitKyc(allowed, application_id, cleared), null))),
      racing("accept other", run(accept(other)))
    ], { concurrency: "unbounded" })
  })

/**
 * What shows that a race went wrong: exactly one side wins, whoever accepted was told of the one proposal there is, and the lender
 * has one contract for it once everything was done.
 */
export const brokenRace = Effect.fnUntraced(function*(story: OriginationStory, raced: ReadonlyArray<Raced>) {
  const won = (racer: Raced["racer"]): boolean => raced.some((one) => one.racer === racer && one.outcome === "done")
  const accepted = [won("accept best"), won("accept other")].filter(Boolean).length
  const told = new Set(raced.flatMap(({ proposal_id }) => proposal_id === null ? [] : [proposal_id]))
  const { proposal, quotes } = yield* story.present
  yield* story.finish
  const contracts = yield* story.world.lender.contracts
  const complaints: ReadonlyArray<readonly [broken: boolean, why: string]> = [
    [accepted > 1, "both offers were accepted"],
    [accepted === 1 && won("requote"), "an offer was accepted, and another quote asked for"],
    [accepted === 0 && !won("requote"), "nobody won"],
    [accepted === 1 && won("clear a KYC field"), "an offer was accepted without a complete KYC"],
    [told.size > 1, "two proposals were told of"],
    [(proposal !== null) !== (accepted === 1), "the proposal is not what was told"],
    [proposal !== null && !told.has(proposal.proposal_id), "the proposal is another one than was told"],
    [quotes.length !== (won("requote") ? 2 : 1), "the quotes are not what was told"],
    [contracts.length !== accepted, `${contracts.length} contracts at the lender`]
  ]
  return [
    ...complaints.flatMap(([broken, why]) => broken ? [why] : []),
    ...(yield* story.broken).map(({ rule, why }) => `rule ${rule}: ${why}`)
  ]
})
