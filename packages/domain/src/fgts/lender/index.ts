export { type KycRequirements, type LenderKycField, lenderKycFields } from "../kyc/KycRequirements.ts"
export { judgeLenderOffer, type OfferConditions } from "../quote/judgeLenderOffer.ts"
export { type OfferFault, offerFaults, UnlawfulOffer } from "../quote/OfferFault.ts"
export { type DocumentContent, type DocumentReference, DocumentSource, DocumentUnavailable } from "./DocumentSource.ts"
export {
  type EntryAttempt,
  freshThrottle,
  intervalMs,
  judgeEntry,
  leaveThrottle,
  throttleLimits,
  type ThrottleState,
  throttleTimes
} from "./judgeEntry.ts"
export {
  type FinalQuotation,
  Lender,
  type LenderOffer,
  type LenderPending,
  type LenderQuotation,
  type LenderQuoteRequest
} from "./Lender.ts"
export { CallbackRefused, type CallbackState, type CallbackTarget, type LenderCallback } from "./LenderCallback.ts"
export {
  type CancellationReason,
  cancellationReasons,
  type ContractPayment,
  type ContractRefund,
  type ContractSubmission,
  type DisbursementResubmission,
  type LenderCancellation,
  type LenderContract,
  type LenderContractStatus,
  lenderContractStatuses,
  type LenderExits,
  type LenderRefund,
  noExits,
  type RequiredAction,
  type SubmissionOrigin,
  type WithdrawalReason,
  withdrawalReasons
} from "./LenderContract.ts"
export {
  ExitRefused,
  type InvalidField,
  LenderUnavailable,
  LenderUnsupported,
  SubmissionInvalid
} from "./LenderFailures.ts"
export { type LenderRequirements, type LenderThrottleLimits, noRequirements } from "./LenderRequirements.ts"
export { defaultLenderSettings, LenderSettings, type LenderSettingsValues } from "./LenderSettings.ts"
export { type CallEntry, type CallRequest, LenderThrottle } from "./LenderThrottle.ts"
export { withoutExits } from "./withoutExits.ts"
