import { ProposalId, submitContract } from "@lastro/domain"
import { Schema } from "effect"
import { Workflow } from "effect/workflow"
import { untilFree } from "./untilFree.ts"

/**
 * The work on a contract until the lender has it, or has been asked for another payment: then there is nothing to do but to look
 * at it now and then. Names and payload are stored, as those of quotes are.
 */
export const ContractWork = Workflow.make("Contract", {
  payload: { proposal_id: ProposalId, attempt: Schema.Int },
  idempotencyKey: ({ attempt, proposal_id }) => `${proposal_id}/${attempt}`
}).annotate(Workflow.CaptureDefects, false)

/** Does the work on contracts: no steps within, because `submitContract` may be run again at any time and records what it learns. */
export const layer = ContractWork.toLayer(({ proposal_id }) => untilFree(submitContract(proposal_id)))
