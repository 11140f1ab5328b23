import { Schema } from "effect"
import { Uuid } from "./Uuid.ts"

/** The id of a proposal. */
export const ProposalId = Uuid.pipe(Schema.brand("ProposalId"))
export type ProposalId = typeof ProposalId.Type
