// Terms of this folder:
//
// - status: of an application or a proposal, derived from the facts (`applicationStatus`) or from events (`evolve`)
// - stage: the status of an application as stored, which ignores the clock (`ApplicationStage`)
// - placement: the stage and the expiry of the last offer, in an index (`ApplicationPlacement`)
// - place: status, next action and status of the proposal together, for lists and counts (`LoanPlace`)
// - course: the place after the last event, and the later ones that the clock brings (`LoanCourse`)
// - part: the share of one lender in a quote (`QuotePart`)
// - held: the offers of a part until its quote is completed
// - stated: the facts about the contract in the lender's answer (`StatedFacts`)
export {
  acceptedOffer,
  type Application,
  currentRejection,
  findOffer,
  latestQuote,
  recordingTime
} from "./Application.ts"
export {
  type ApplicationPlacement,
  type ApplicationStage,
  lastExpiryOf,
  type PlacementBounds,
  placementOf,
  placementsWith
} from "./ApplicationStatus.ts"
export { ApplicationStatus, applicationStatus, isUnfinished } from "./ApplicationStatus.ts"
export { brokenRules, isJudged } from "./brokenRules.ts"
export { continueQuote, holdsAtEveryLender, nextPatience, openUntil, type QuoteProgress } from "./continueQuote.ts"
export {
  type CancellationReason,
  cancellationReasons,
  type CommissionBasis,
  type ContractPayment,
  type ContractRefund,
  type FrozenCommission,
  type RequiredAction,
  type SubmissionOrigin,
  type WithdrawalReason,
  withdrawalReasons
} from "./ContractFacts.ts"
export { decide } from "./decide.ts"
export { isQuotable, maxQuotes } from "./decideQuote.ts"
export { evolve, openApplication } from "./evolve.ts"
export {
  type ContractSubmission,
  type DisbursementResubmission,
  type LenderCancellation,
  type LenderContract,
  type LenderContractStatus,
  lenderContractStatuses,
  type LenderExits,
  type LenderRefund,
  noExits
} from "./LenderContract.ts"
export {
  type AcceptOffer,
  type CancelApplication,
  type CancelJob,
  type ExpireProposal,
  type LoanCommand,
  type LoanRefusal,
  type LoanRefusals,
  type PassPatience,
  type RecordContract,
  type RecordExitRefused,
  type RecordInvalid,
  type RecordNoContract,
  type RecordNotReceived,
  type RecordQuote,
  type RenewSignatureLink,
  type RequestQuote,
  type StartSubmission,
  type SubmitKyc,
  type WithdrawFromProposal
} from "./LoanCommand.ts"
export {
  type ApplicationCancelled,
  type ApplicationOpened,
  type KycSubmitted,
  type LenderAsked,
  type LenderFailed,
  type LenderOffered,
  type LenderPostponed,
  type LenderRejected,
  type LenderSkipped,
  type LoanEvent,
  type OfferAccepted,
  type QuoteCompleted,
  type QuoteFailed,
  type QuoteRejected,
  type QuoteRequested
} from "./LoanEvent.ts"
export {
  courseOf,
  type LoanCourse,
  type LoanPlace,
  type LoanPlaceParts,
  loanPlaces,
  placeOn,
  placesFor,
  placeWithoutPartner
} from "./LoanPlace.ts"
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
} from "./LoanRefusals.ts"
export { NextAction, nextAction } from "./nextAction.ts"
export { OfferStatus, offerStatus, QuoteStatus, quoteStatus } from "./OfferStatus.ts"
export { nextSettlementPoll, type Pledge, watchedUntil } from "./pledges.ts"
export { type PossibleRequests } from "./possibleRequests.ts"
export {
  type Acceptance,
  type AwaitingSignature,
  type Cancellable,
  type Cancellation,
  type Cancelled,
  type Cancelling,
  type ContractAtLender,
  contractOf,
  type CorrectionNeeded,
  type DisbursementFailed,
  type Disbursing,
  type GuaranteePending,
  isFinal,
  isPaidOrFinal,
  type OpenRequest,
  type Paid,
  paidAt,
  paymentOf,
  type Proposal,
  type ProposalFacts,
  type ProposalIn,
  type ProposalState,
  ProposalStatus,
  referenceOf,
  type Refunded,
  type RefundPending,
  type Rejected,
  rejectionOf,
  type Settled,
  type StatusChange,
  type Submitting,
  type Withdrawal
} from "./Proposal.ts"
export {
  type CancellationRefused,
  type CancellationRequested,
  type ContractCancelled,
  type ContractRefunded,
  type ContractRejected,
  type ContractSettled,
  type ContractSigned,
  type ContractSubmitted,
  type ContractUpdated,
  type CustomerPaid,
  type DataCorrected,
  type DisbursementCorrected,
  type GuaranteeConfirmed,
  type PaymentFailed,
  type PaymentRetried,
  type PaymentReversed,
  type ProposalEvent,
  type ProposalExpired,
  type ReferenceConflicted,
  type RefundNotPaid,
  type RefundOffered,
  type RequestProblem,
  type SignatureLinkRefused,
  type SignatureLinkRenewed,
  type SignatureLinkRequested,
  type SignatureRequested,
  type StatedFacts,
  type SubmissionNotReceived,
  type SubmissionRefused,
  type WithdrawalRefused,
  type WithdrawalRequested
} from "./ProposalEvent.ts"
export { correctionTimeMs, proposalExpiresAt } from "./proposalExpiry.ts"
export { parseNumberFilter, type ProposalNumber, proposalNumber } from "./ProposalNumber.ts"
export { partsOf } from "./quoteParts.ts"
export { signatureLink } from "./signatureLink.ts"
