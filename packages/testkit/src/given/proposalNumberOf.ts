import { type ProposalNumber } from "@lastro/domain"

/** A proposal number made of the random end of an id. */
export const proposalNumberOf = (id: string): ProposalNumber => id.slice(-10).toUpperCase() as ProposalNumber
