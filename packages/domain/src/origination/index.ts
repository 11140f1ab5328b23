export { type HeldPoll, maxWaitSeconds, type StatusWaiter, StatusWatch, type WaitResult } from "../ports/StatusWatch.ts"
export { acceptOffer } from "./AcceptOffer.ts"
export { type HistoryEntry } from "./applicationHistory.ts"
export {
  type ApplicationFilters,
  type ApplicationQuery,
  type ApplicationSortField,
  applicationSortFields,
  type ProposalFilters,
  proposalNullsLast,
  type ProposalQuery,
  type ProposalSortField,
  proposalSortFields,
  statusesFor
} from "./ApplicationQuery.ts"
export { ApplicationRepository, type ExpiredQuote, ProposalRepository } from "./ApplicationRepository.ts"
export {
  AcceptFgtsOfferRequest,
  AcceptFgtsOfferResponse,
  CancelFgtsApplicationRequest,
  CreateFgtsApplicationRequest,
  externalIdBounds,
  RenewSignatureLinkRequest,
  RequoteFgtsApplicationRequest,
  UpdateFgtsApplicationRequest,
  WithdrawFromProposalRequest
} from "./ApplicationRequests.ts"
export { cancelApplication } from "./CancelApplication.ts"
export { createApplication } from "./CreateApplication.ts"
export { DurableWork, type JobTarget } from "./DurableWork.ts"
export { erasedExternalId, hasExternalIdLeft } from "./erasedExternalId.ts"
export { expireApplications, maxExpired } from "./expireApplications.ts"
export { FgtsApplication, fgtsApplication, FgtsApplicationList } from "./FgtsApplication.ts"
export {
  abridgeApplication,
  FgtsApplicationListItem,
  fgtsApplicationListItem,
  FgtsApplicationsPage,
  FgtsCustomerSummary,
  listedUpdatedAt
} from "./FgtsApplicationListItem.ts"
export { FgtsApplicationStatus, fgtsApplicationStatus, withoutLink } from "./FgtsApplicationStatus.ts"
export { FgtsInstallment, fgtsInstallment, FgtsOffer } from "./FgtsOffer.ts"
export { FgtsQuote } from "./FgtsQuote.ts"
export { getApplication, getCancellationTime } from "./GetApplication.ts"
export { getApplicationStatus, type StatusRead } from "./GetApplicationStatus.ts"
export { FgtsKycAnswer, getKyc, KycSuggestions } from "./GetKyc.ts"
export { getPossibleRequests } from "./GetPossibleRequests.ts"
export { isApplicationSearch, listApplications } from "./ListApplications.ts"
export { LenderItem, listLenders, ListOfLendersResponse } from "./ListLenders.ts"
export { getProposal, listProposals, ProposalsPage } from "./ListProposals.ts"
export { parseNewApplication } from "./parseNewApplication.ts"
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
export { ProposalUnreadable, readProposal, type StoredProposal, storeProposal } from "./storedProposal.ts"
export { submitKyc, submitKycIf } from "./SubmitKyc.ts"
export {
  FgtsApplicationSummary,
  funnelOf,
  type FunnelStage,
  funnelStages,
  summarizeApplications
} from "./SummarizeApplications.ts"
export { updateApplication } from "./UpdateApplication.ts"
export { withdrawFromProposal } from "./WithdrawFromProposal.ts"
