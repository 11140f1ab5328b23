export { accrualsOf, type PaidContract } from "./accruals.ts"
export { type ChainLink, freezeChain, isPlaced, type Placement, planInForce, shareOf } from "./chain.ts"
export { AdjustCommissionRequest, CloseCommissionsRequest, type ClosingId, CommissionClosing } from "./Closing.ts"
export {
  CommissionEntry,
  CommissionsPage,
  EntryId,
  EntryKind,
  EntryStatus,
  PayoutId,
  type StoredEntry
} from "./CommissionEntry.ts"
export { CommissionLedger, type EntryFilters, type EntryQuery, entrySortFields } from "./CommissionLedger.ts"
export { CommissionPlans, type PlanQuery, planSortFields } from "./CommissionPlans.ts"
export { CommissionSettings, type CommissionSettingsValues, defaultCommissionSettings } from "./CommissionSettings.ts"
export {
  type Closed,
  type ClosedSum,
  type Closing,
  CommissionSettlement,
  type PayoutQuery,
  payoutSortFields,
  type SummaryQuery,
  type SummarySlice,
  summarySortFields
} from "./CommissionSettlement.ts"
export { CommissionStatements, type StatedContracts, type StatementKey } from "./CommissionStatements.ts"
export { adjustmentOf, clawbacksOf, type DraftEntry } from "./entries.ts"
export { getPossibleSettlements, type PossibleSettlements } from "./GetPossibleSettlements.ts"
export {
  ContractStepRefused,
  type HostContract,
  type HostContractStatus,
  type RecordAcceptanceRequest,
  type RecordContractRequest,
  type RecordPaymentRequest,
  type StoredHostContract
} from "./HostContract.ts"
export { HostContracts } from "./HostContracts.ts"
export { maxStatementLength } from "./parseStatement.ts"
export { CommissionPayout, CreatePayoutRequest, NothingToPay, PayoutsPage, type StoredPayout } from "./Payout.ts"
export { Period, periodOf, periodOfEntry } from "./period.ts"
export {
  Basis,
  CommissionPlan,
  CommissionPlansPage,
  CommissionRate,
  type CreateCommissionPlanRequest,
  type NewPlan,
  NewPlanRequest,
  PlanId,
  type RateKey,
  type StoredPlan,
  type StoredRate
} from "./Plan.ts"
export { commissionOf, effectivePercent, type Share } from "./Share.ts"
export { type StatedContract, StatementComparison, StatementDifference } from "./Statement.ts"
export {
  CommissionSummary,
  CommissionSummaryPage,
  CommissionTotal,
  type PartnerSums,
  type SummaryAmounts,
  summaryOf
} from "./summary.ts"
