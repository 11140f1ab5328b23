import { Schema } from "effect"
import { Uuid } from "../id/Uuid.ts"

/** The id of a proposal. */
export const ProposalId = Uuid.pipe(Schema.brand("ProposalId"))
export type ProposalId = typeof ProposalId.Type
