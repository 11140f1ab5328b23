export { abridgeApplication } from "./abridgeApplication.ts"
export { acceptOffer } from "./AcceptOffer.ts"
export { type HistoryEntry } from "./applicationHistory.ts"
export {
  type ApplicationFilters,
  type ApplicationQuery,
  type ApplicationSortField,
  applicationSortFields
} from "./ApplicationQuery.ts"
export { ApplicationRepository } from "./ApplicationRepository.ts"
export {
  AcceptFgtsOfferRequest,
  AcceptFgtsOfferResponse,
  CreateFgtsApplicationRequest,
  externalIdBounds,
  RequoteFgtsApplicationRequest,
  UpdateFgtsApplicationRequest
} from "./ApplicationRequests.ts"
export { cancelApplication } from "./CancelApplication.ts"
export { createApplication } from "./CreateApplication.ts"
export { DurableWork, type JobTarget } from "./DurableWork.ts"
export { CancelFgtsApplicationRequest, RenewSignatureLinkRequest, WithdrawFromProposalRequest } from "./ExitRequests.ts"
export { CustomerView, FgtsApplication, fgtsApplication, FgtsApplicationList } from "./FgtsApplication.ts"
export {
  FgtsApplicationListItem,
  fgtsApplicationListItem,
  FgtsApplicationsPage,
  FgtsCustomerSummary,
  listedUpdatedAt
} from "./FgtsApplicationListItem.ts"
export { FgtsApplicationStatus, fgtsApplicationStatus } from "./FgtsApplicationStatus.ts"
export { FgtsInstallment, fgtsInstallment, FgtsOffer, FgtsTable } from "./FgtsOffer.ts"
export { FgtsQuote } from "./FgtsQuote.ts"
export { getApplication } from "./GetApplication.ts"
export { getApplicationStatus, maxWaitSeconds, type StatusRead } from "./GetApplicationStatus.ts"
export { getKyc } from "./GetKyc.ts"
export { getProposal } from "./GetProposal.ts"
export { KycSuggestions } from "./KycSuggestions.ts"
export { isApplicationSearch, listApplications } from "./ListApplications.ts"
export { listProposals, ProposalsPage } from "./ListProposals.ts"
export { parseNewApplication } from "./parseNewApplication.ts"
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
export { requoteApplication } from "./RequoteApplication.ts"
export { maxSearchResults, searchApplications } from "./SearchApplications.ts"
export { type StatusWaiter, StatusWatch, type WaitResult } from "./StatusWatch.ts"
export { ProposalUnreadable, readProposal, type StoredProposal, storeProposal } from "./storedProposal.ts"
export { submitKyc } from "./SubmitKyc.ts"
export { updateApplication } from "./UpdateApplication.ts"
export { withdrawFromProposal } from "./WithdrawFromProposal.ts"
