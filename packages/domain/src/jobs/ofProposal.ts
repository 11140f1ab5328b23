import { Effect, Option } from "effect"
import { type Application } from "../loan/Application.ts"
import { ApplicationRepository } from "../origination/ApplicationRepository.ts"
import { type ProposalId } from "../values/ids.ts"
import { jobDone, type JobOutcome } from "./Job.ts"

/** Reads the application of a proposal and passes it to `run`. Returns the outcome DONE if there is no such proposal. */
export const ofProposal = <E, R>(
  proposal_id: ProposalId,
  run: (application: Application) => Effect.Effect<JobOutcome, E, R>
) =>
  Effect.gen(function*() {
    const found = yield* (yield* ApplicationRepository).ofProposal(proposal_id)
    return Option.isNone(found) ? jobDone : yield* run(found.value)
  })
