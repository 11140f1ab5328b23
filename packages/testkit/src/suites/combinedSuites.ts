import * as origination from "./originationSuites.ts"
import { type Contract, type ContractSuite, contractSuite } from "./suite/ContractSuite.ts"
import * as suites from "./suites.ts"

type PortsOf<Suites> = Suites extends ReadonlyArray<ContractSuite<infer R>> ? R : never

/** Returns a suite that runs several suites with one layer. */
const combine = <const Suites extends ReadonlyArray<Pick<ContractSuite<unknown>, "contracts">>>(combined: Suites) =>
  contractSuite(combined.flatMap(({ contracts }) => contracts) as ReadonlyArray<Contract<PortsOf<Suites>>>)

/**
 * Runs the contract suites of all administration ports with one layer. The database must be empty. The layer must also
 * provide an AuditInspector, which reads the audit log, and an IdempotencyInspector, which reads stored responses.
 */
export const administrationSuite = combine([
  suites.installationSuite,
  suites.signingKeyRepositorySuite,
  suites.unitOfWorkSuite,
  suites.partnerRepositorySuite,
  suites.partnerTreeSuite,
  suites.userRepositorySuite,
  suites.accountRulesSuite,
  suites.principalRepositorySuite,
  suites.apiClientRepositorySuite,
  suites.refreshTokenRepositorySuite,
  suites.loginAttemptsSuite,
  suites.auditLogSuite,
  suites.auditRetentionSuite,
  suites.auditTrailSuite,
  suites.eventLogSuite,
  suites.subscriptionStoreSuite,
  suites.idempotencyStoreSuite,
  suites.commissionPlansSuite,
  suites.commissionLedgerSuite,
  suites.commissionSettlementSuite,
  suites.commissionStatementsSuite,
  suites.hostContractsSuite,
  suites.webhookRepositorySuite,
  suites.webhookQueueSuite
])

/** Runs the contract suites of all origination ports with one layer. For `DurableWork`, use `durableWorkSuite`. */
export const originationSuite = combine([
  origination.applicationRepositorySuite,
  origination.proposalRepositorySuite,
  origination.kycSuggestionsSuite,
  suites.cursorSealSuite,
  suites.personalDataHasherSuite,
  suites.personalDataStoreSuite,
  origination.lenderThrottleSuite,
  origination.routingRepositorySuite,
  origination.originationRulesSuite
])
