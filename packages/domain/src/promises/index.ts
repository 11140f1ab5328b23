export { type CallerFunctions } from "./CallerFunctions.ts"
export * from "./CallOptions.ts"
export { type IdentityFunctions } from "./IdentityFunctions.ts"
export * from "./Lastro.ts"
export * from "./LastroTransaction.ts"
export { type LenderFunctions } from "./LenderFunctions.ts"
export * from "./openLastro.ts"
export {
  type ApiClientSecret,
  type FirstCredentials,
  type Installed,
  type OperatorFunctions
} from "./OperatorFunctions.ts"
export {
  CallNotAwaited,
  CallOutsideTransaction,
  TransactionEnded,
  TransactionsUnavailable,
  TransactionTimeout,
  WaitInTransaction
} from "./transactionErrors.ts"
export * from "./UseCasePorts.ts"
