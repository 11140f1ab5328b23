export {
  type Acceptance,
  isFinal,
  isSettled,
  type Proposal,
  proposalPath,
  ProposalStatus,
  type StatusChange
} from "../fgts/contract/Proposal.ts"
export { type ProposalNumber, proposalNumber } from "../fgts/contract/ProposalNumber.ts"
export { getProposal } from "./GetProposal.ts"
export { listProposals, ProposalsPage } from "./ListProposals.ts"
export {
  type ProposalFilters,
  type ProposalQuery,
  type ProposalSortField,
  proposalSortFields
} from "./ProposalQuery.ts"
export { ProposalRepository } from "./ProposalRepository.ts"
export {
  proposalDetail,
  PublicDisbursementAccount,
  PublicProposalDetail,
  PublicProposalDetailResponse
} from "./PublicProposalDetail.ts"
export {
  acceptedTerms,
  type ContractedApplication,
  isContracted,
  proposalListItem,
  PublicCustomerSummary,
  PublicLoanSummary,
  PublicProposalListItem
} from "./PublicProposalListItem.ts"
export { renewSignatureLink } from "./RenewSignatureLink.ts"
export { withdrawFromProposal } from "./WithdrawFromProposal.ts"
