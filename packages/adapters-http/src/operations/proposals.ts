import { getProposal, listProposals, permits, type ProposalId } from "@lastro/domain"
import { Effect } from "effect"
import { operation } from "../pipeline/Operation.ts"
import { detailed, idIn, listed } from "./answers.ts"

/** The operations on proposals, by their names in the API definition. */
export const proposalOperations = {
  listProposals: operation({
    authorize: permits.listProposals,
    body: "none",
    idempotent: false,
    handle: (allowed, { query }) => Effect.map(listProposals(allowed, query), listed)
  }),
  getProposal: operation({
    authorize: permits.getProposal,
    body: "none",
    idempotent: false,
    handle: (allowed, { params }) =>
      Effect.map(
        Effect.flatMap(idIn<ProposalId>(params, "proposal_uuid"), (id) => getProposal(allowed, id)),
        detailed
      )
  })
}
