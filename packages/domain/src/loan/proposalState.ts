import { type Timestamp } from "../values/Timestamp.ts"
import {
  type ContractAtLender,
  contractOf,
  type Paid,
  paymentOf,
  type Proposal,
  type ProposalFacts,
  type ProposalState
} from "./Proposal.ts"
import { type StatedFacts } from "./ProposalEvent.ts"

const factsOf = (proposal: Proposal): ProposalFacts => ({
  proposal_id: proposal.proposal_id,
  number: proposal.number,
  offer_id: proposal.offer_id,
  created_by: proposal.created_by,
  created_at: proposal.created_at,
  updated_at: proposal.updated_at,
  acceptance: proposal.acceptance,
  origin: proposal.origin,
  commission: proposal.commission,
  lender: proposal.lender,
  customer: proposal.customer,
  status_history: proposal.status_history,
  submitted_at: proposal.submitted_at,
  invisible_events: proposal.invisible_events,
  disbursement: proposal.disbursement,
  disbursement_attempt: proposal.disbursement_attempt
})

/** Moves a proposal into a state, and adds its status to the history. Fields of the earlier state are dropped. */
export const enter = (
  proposal: Proposal,
  at: Timestamp,
  state: ProposalState,
  reason: string | null = null
): Proposal => ({
  ...factsOf(proposal),
  ...state,
  updated_at: at,
  status_history: [...proposal.status_history, { status: state.status, at, reason }]
})

/** Returns the contract with the facts that the lender states. Terms stay until the lender states others. */
export const contractWith = (
  proposal: Proposal,
  { reference, required_action, terms }: StatedFacts
): ContractAtLender => ({ reference, terms: terms ?? contractOf(proposal)?.terms ?? null, required_action })

export const withoutAction = <Contract extends ContractAtLender | null>(contract: Contract): Contract =>
  contract === null ? contract : { ...contract, required_action: null }

/** Returns the state PAID. The payment stays until the lender states another one. */
export const paidState = (proposal: Proposal, stated: StatedFacts): Paid => ({
  status: "PAID",
  contract: contractWith(proposal, stated),
  paid: stated.paid ?? paymentOf(proposal)
})
