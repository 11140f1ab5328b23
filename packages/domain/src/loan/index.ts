export { type Application, latestQuote, recordingTime } from "./Application.ts"
export { type ApplicationEvent, type ApplicationOpened } from "./ApplicationEvent.ts"
export {
  ApplicationNotCancellable,
  ApplicationNotQuotable,
  JobNotCancellable,
  KycIncomplete,
  KycLocked,
  OfferNotAvailable,
  ProposalNotWithdrawable,
  QuoteInProgress,
  SignatureNotPending
} from "./ApplicationRefusals.ts"
export { type ApplicationPlacement, type ApplicationStage, placementOf, statusOfPlacement } from "./ApplicationStage.ts"
export { ApplicationStatus, applicationStatus, isUnfinished } from "./ApplicationStatus.ts"
export {
  type CancellationReason,
  cancellationReasons,
  type ContractPayment,
  type ContractRefund,
  type RequiredAction,
  type SubmissionOrigin,
  type WithdrawalReason,
  withdrawalReasons
} from "./ContractFacts.ts"
export { currentRejection } from "./currentRejection.ts"
export { type ApplicationCommand, type ApplicationRefusal, decideApplication } from "./decide.ts"
export { type AcceptOffer, findOffer } from "./decideAccept.ts"
export { type CancelApplication } from "./decideCancel.ts"
export { type CancelJob } from "./decideCancelJob.ts"
export { type RecordContract } from "./decideContract.ts"
export {
  type RecordExitRefused,
  type RecordInvalid,
  type RecordNoContract,
  type StartSubmission
} from "./decideExitAnswer.ts"
export { correctionTimeMs, type ExpireProposal, proposalExpiresAt } from "./decideExpire.ts"
export { type SubmitKyc } from "./decideKyc.ts"
export { isQuotable, maxQuotes, type RecordQuote, type RequestQuote } from "./decideQuote.ts"
export { type RenewSignatureLink, type WithdrawFromProposal } from "./decideWithdraw.ts"
export { evolveApplication, openApplication } from "./evolve.ts"
export { isContractable, isWithinPolicy } from "./isContractable.ts"
export {
  type ContractSubmission,
  type DisbursementResubmission,
  type LenderCancellation,
  type LenderContract,
  type LenderExits,
  type LenderRefund,
  noExits
} from "./LenderContract.ts"
export { NextAction, nextAction } from "./nextAction.ts"
export { OfferStatus, offerStatus } from "./OfferStatus.ts"
export { pledgedYears } from "./pledges.ts"
export { type Acceptance, type Proposal, type StatusChange } from "./Proposal.ts"
export { type ProposalNumber, proposalNumber } from "./ProposalNumber.ts"
export {
  isFinal,
  isSettled,
  type LenderContractStatus,
  lenderContractStatuses,
  proposalPath,
  ProposalStatus
} from "./ProposalStatus.ts"
export { QuoteStatus, quoteStatus } from "./QuoteStatus.ts"
