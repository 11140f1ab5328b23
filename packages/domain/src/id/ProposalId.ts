import { Schema } from "effect"
import { Uuid } from "./Uuid.ts"

/** The id of a proposal. */
export const ProposalId = Uuid.pipe(
  Schema.annotateEncoded({ description: "The proposal's id", examples: ["0197f3a2-d394-75c6-80c2-738495a6b7c8"] }),
  Schema.brand("ProposalId")
)
export type ProposalId = typeof ProposalId.Type
