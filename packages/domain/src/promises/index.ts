export { WaitInTransaction } from "../ports/WaitInTransaction.ts"
export { type AdministrationFunctions } from "./AdministrationFunctions.ts"
export { type CallerFunctions } from "./CallerFunctions.ts"
export * from "./CallOptions.ts"
export {
  type EventFunctions,
  type EventHandler,
  type EventHandlerInTransaction,
  type EventsOptions,
  type SubscribeOptions,
  type Subscription
} from "./EventFunctions.ts"
export { type ExportFunctions } from "./ExportFunctions.ts"
export { type Facade } from "./Facade.ts"
export { type CallerScope, type HostFunctions, type PartnerIdsOptions } from "./HostFunctions.ts"
export { type IdentityFunctions, type PortsOfSignIn, type PrincipalFunctions } from "./IdentityFunctions.ts"
export * from "./Lastro.ts"
export * from "./LastroTransaction.ts"
export { type LenderFunctions } from "./LenderFunctions.ts"
export * from "./openAdministration.ts"
export * from "./openCommissions.ts"
export * from "./openLastro.ts"
export * from "./openOrigination.ts"
export { type IncompleteLayer, type OpenOptions } from "./openPorts.ts"
export * from "./openSignIn.ts"
export { type OperationFailure, type Untrusted } from "./OperationFailure.ts"
export {
  type ApiClientFailure,
  type ApiClientSecret,
  type BootstrapFailure,
  type FirstCredentials,
  type Installed,
  type NewApiClient,
  type OperatorFunctions,
  type RecoveredAdministrator,
  type Recovery,
  type RecoveryFailure
} from "./OperatorFunctions.ts"
export { type OriginationFunctions } from "./OriginationFunctions.ts"
export { type PrivacyFunctions } from "./PrivacyFunctions.ts"
export {
  CallNotAwaited,
  CallOutsideTransaction,
  TransactionEnded,
  TransactionsUnavailable,
  TransactionTimeout
} from "./transactionErrors.ts"
export * from "./UseCasePorts.ts"
export { type WebhookFunctions } from "./WebhookFunctions.ts"
export { type WorkFunctions } from "./WorkFunctions.ts"
