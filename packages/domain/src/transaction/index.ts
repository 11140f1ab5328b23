export { type ClientRows, type ClientStatement, type DatabaseClient } from "./DatabaseClient.ts"
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
export { anyState, type Precondition, PreconditionFailed } from "./Precondition.ts"
export { Busy, UnitOfWork } from "./UnitOfWork.ts"
export { WaitInTransaction } from "./WaitInTransaction.ts"
