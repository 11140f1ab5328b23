export {
  type BreakerAnswer,
  type BreakerCall,
  type BreakerLimits,
  type CallResult,
  type Circuit,
  type Circuits,
  closedCircuit,
  isWithholding,
  judgeCall,
  recordResult
} from "./breaker.ts"
export { type LenderOperation } from "./callMetrics.ts"
export { CallOrigin, lenderCallDeadlineMs } from "./callWithinLimits.ts"
export { type DocumentContent, type DocumentReference, DocumentSource, DocumentUnavailable } from "./DocumentSource.ts"
export {
  type EntryAttempt,
  freshThrottle,
  intervalMs,
  judgeEntry,
  leaveThrottle,
  setBackThrottle,
  throttleLimits,
  type ThrottleState
} from "./judgeThrottle.ts"
export { layerLenders, LenderCode, type LenderEntry, type LendersOptions, LendersRefused } from "./layerLenders.ts"
export { Lender, type LenderPending, type LenderQuotation, type LenderQuoteRequest, withoutExits } from "./Lender.ts"
export { CallbackRefused, type CallbackState, type CallbackTarget, type LenderCallback } from "./LenderCallback.ts"
export {
  ExitRefused,
  type InvalidField,
  LenderUnavailable,
  LenderUnsupported,
  SubmissionInvalid
} from "./LenderFailures.ts"
export { type LenderRequirements, type LenderThrottleLimits, noRequirements } from "./LenderRequirements.ts"
export {
  atLender,
  defaultQuotePatienceMs,
  isLenderCode,
  lenderOfRecord,
  type LenderRegistry,
  lenderRegistry,
  Lenders,
  type LenderStatus,
  lenderStatuses,
  type RegisteredLender
} from "./Lenders.ts"
export { defaultLenderSettings, LenderSettings, type LenderSettingsValues } from "./LenderSettings.ts"
export { type CallEntry, type CallRequest, LenderThrottle } from "./LenderThrottle.ts"
export {
  deleteRouting,
  getRouting,
  PartnerRouting,
  PartnerRoutingResponse,
  putRouting,
  PutRoutingRequest
} from "./PartnerRouting.ts"
export {
  type EffectiveRouting,
  effectiveRouting,
  judgeLenders,
  NoLender,
  type Routing,
  type RoutingLink
} from "./Routing.ts"
export { RoutingRepository } from "./RoutingRepository.ts"
