import { acceptedTerms, type Contracted, fold, proposalListItem } from "@lastro/domain"

/** The columns of a proposal that can change. */
export const changingProposalValues = (application: Contracted) => ({
  status: application.proposal.status,
  updated_at: application.proposal.updated_at,
  list_item: JSON.stringify(proposalListItem(application)),
  facts: JSON.stringify(application.proposal)
})

/** The columns of a proposal, with what it is searched and sorted by; not its owner. */
export const proposalValues = (application: Contracted) => ({
  ...changingProposalValues(application),
  id: application.proposal.proposal_id,
  application_id: application.application_id,
  offer_id: application.proposal.offer_id,
  number: application.proposal.number,
  cpf: application.proposal.customer.cpf,
  customer_folded: fold(application.proposal.customer.name),
  external_id: application.external_id,
  net_amount: acceptedTerms(application).net_amount,
  created_at: application.proposal.created_at
})
