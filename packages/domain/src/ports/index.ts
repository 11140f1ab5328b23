export {
  CostlyAbove,
  type CostlyLimits,
  CostlyReads,
  type CostlyTurns,
  defaultCostlyLimits,
  makeCostlyTurns,
  ReadBudgetExceeded,
  readInTurn,
  readList,
  rereadInTurn,
  type WhileWaiting,
  withinBudget
} from "./CostlyReads.ts"
export { CursorSeal, maxCursorLength } from "./CursorSeal.ts"
export { clientProblem, type ClientRows, type ClientStatement, type DatabaseClient } from "./DatabaseClient.ts"
export { makeTurns, type QueueLimits, type TakeTurn, type TurnOwner } from "./FairQueue.ts"
export { IdGenerator, SecretGenerator } from "./generators.ts"
export {
  ClientRefused,
  type ClientUnits,
  type HostRows,
  HostTransactions,
  isRollbackToSavepoint,
  isTransactionControl,
  StatementFailed,
  StatementRefused,
  transactionControlRefused
} from "./HostTransactions.ts"
export { type PartnerFilter, partnerScopes } from "./partnerFilter.ts"
export { type PartnerPlace, PartnerTree, type TreeNode } from "./PartnerTree.ts"
export {
  joinLoads,
  makeTenantMeter,
  meterMinutes,
  otherTenants,
  type TenantLoad,
  TenantMeter,
  type TenantMeterService,
  type TenantWork
} from "./TenantMeter.ts"
export { inTurns, type Tenancy, turnKeys, type Turns, unknownTenancy, type WaitingWork } from "./turns.ts"
export { Busy, UnitOfWork } from "./UnitOfWork.ts"
export { WaitInTransaction } from "./WaitInTransaction.ts"
