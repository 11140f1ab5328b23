import { type Application, type Contracted, isContracted, type PartnerDetail, type ProposalId } from "@lastro/domain"
import { Effect } from "effect"
import { moved } from "../given/applicationStages.ts"
import { givenContract, saving } from "../given/givenApplication.ts"

/** An application that has a proposal; one that has none is a mistake of the test. */
export const contractOf = (application: Application): Contracted => {
  if (!isContracted(application)) throw new Error("nothing was accepted")
  return application
}

/** The id of what was accepted. */
export const acceptedIn = (application: Application): ProposalId => contractOf(application).proposal.proposal_id

/** Adds an application to a partner whose contract was paid. */
export const givenPaid = Effect.fnUntraced(function*(partner: PartnerDetail) {
  const contract = yield* givenContract(partner)
  return yield* saving(contract, moved(contract, "PAID"))
})
