export { type Application, latestQuote, recordingTime } from "./application/Application.ts"
export { type ApplicationEvent, type ApplicationOpened } from "./application/ApplicationEvent.ts"
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
} from "./application/ApplicationRefusals.ts"
export {
  type ApplicationPlacement,
  type ApplicationStage,
  placementOf,
  statusOfPlacement
} from "./application/ApplicationStage.ts"
export { ApplicationStatus, applicationStatus, isUnfinished } from "./application/ApplicationStatus.ts"
export { currentRejection } from "./application/currentRejection.ts"
export { type ApplicationCommand, type ApplicationRefusal, decideApplication } from "./application/decide.ts"
export { type AcceptOffer, findOffer } from "./application/decideAccept.ts"
export { type CancelApplication } from "./application/decideCancel.ts"
export { type CancelJob } from "./application/decideCancelJob.ts"
export { type RecordContract } from "./application/decideContract.ts"
export {
  type RecordExitRefused,
  type RecordInvalid,
  type RecordNoContract,
  type StartSubmission
} from "./application/decideExitAnswer.ts"
export { correctionTimeMs, type ExpireProposal, proposalExpiresAt } from "./application/decideExpire.ts"
export { type SubmitKyc } from "./application/decideKyc.ts"
export { isQuotable, maxQuotes, type RecordQuote, type RequestQuote } from "./application/decideQuote.ts"
export { type RenewSignatureLink, type WithdrawFromProposal } from "./application/decideWithdraw.ts"
export { evolveApplication, openApplication } from "./application/evolve.ts"
export { isContractable, isWithinPolicy } from "./application/isContractable.ts"
export { NextAction, nextAction } from "./application/nextAction.ts"
export { OfferStatus, offerStatus } from "./application/OfferStatus.ts"
export { pledgedYears } from "./application/pledges.ts"
export { QuoteStatus, quoteStatus } from "./application/QuoteStatus.ts"
export { Customer } from "./kyc/Customer.ts"
export { type Disbursement, disbursementOf } from "./kyc/Disbursement.ts"
export { FgtsKyc, fgtsKyc, kycFindings, KycStatus } from "./kyc/FgtsKyc.ts"
export { type KycRequirements } from "./kyc/KycRequirements.ts"
export {
  CivilStatus,
  DisbursementMethod,
  emptyKyc,
  FgtsKycAddress,
  FgtsKycBank,
  Gender,
  IdentityDocumentType,
  KycDocument,
  kycFields,
  kycGroups,
  KycPix,
  type KycSubject,
  KycValues
} from "./kyc/KycValues.ts"
export { Education, KycDocumentKind, KycDocumentReference } from "./kyc/lenderFields.ts"
export { isComplete, missingFields } from "./kyc/missingFields.ts"
export { hasDisbursementFields, judgeKycIdentity, judgePixKey, patchKyc } from "./kyc/patchKyc.ts"
export { isSamePerson } from "./kyc/prefill.ts"
export { annualWithdrawal, annualWithdrawals } from "./policy/annualWithdrawals.ts"
export { checkPolicy, PolicyViolation } from "./policy/checkPolicy.ts"
export { availableInstallments, dueDates, installmentAmounts } from "./policy/installments.ts"
export { fgtsPolicies, type FgtsPolicy, policyEnds, policyOn } from "./policy/Policy.ts"
export { type DiscountedInstallment, discountInstallments } from "./pricing/discountInstallments.ts"
export {
  type DueAmount,
  FeesExceedPrincipal,
  type LoanFee,
  type OfferTerms,
  type PricedInstallment,
  type PricedOffer,
  type PricingRefusal,
  TermsOutOfRange,
  type TermsProblem
} from "./pricing/PricedOffer.ts"
export { annualRate, priceOffer } from "./pricing/priceOffer.ts"
export { pricedInstallments } from "./pricing/principal.ts"
export { reduceToDesired } from "./pricing/reduceToDesired.ts"
export {
  NoEffectiveCost,
  type Payment,
  type TotalEffectiveCost,
  totalEffectiveCost
} from "./pricing/totalEffectiveCost.ts"
export { type FeeTable, type Offer } from "./quote/Offer.ts"
export { type Quote, type QuoteOutcome, type QuoteWish, type Unpriced } from "./quote/Quote.ts"
export { type OwnRejection, ownRejectionOf, ownRejections, rejectionByLastro } from "./quote/rejectionByLastro.ts"
export {
  isRetryable,
  readRejection,
  type RejectionCode,
  rejectionCodes,
  RejectionKind,
  RejectionReason,
  rejectionReason
} from "./quote/RejectionReason.ts"
export { abridgeApplication } from "./view/abridgeApplication.ts"
export { type HistoryEntry } from "./view/applicationHistory.ts"
export { CustomerView, FgtsApplication, fgtsApplication, FgtsApplicationList } from "./view/FgtsApplication.ts"
export {
  FgtsApplicationListItem,
  fgtsApplicationListItem,
  FgtsApplicationsPage,
  FgtsCustomerSummary,
  listedUpdatedAt
} from "./view/FgtsApplicationListItem.ts"
export { FgtsApplicationStatus, fgtsApplicationStatus } from "./view/FgtsApplicationStatus.ts"
export { FgtsInstallment, fgtsInstallment, FgtsOffer, FgtsTable } from "./view/FgtsOffer.ts"
export { FgtsQuote } from "./view/FgtsQuote.ts"
