import { type AuditLog, type AuditTrail, type PersonalDataHasher } from "@lastro/domain/audit"
import { type EventLog, type SubscriptionStore } from "@lastro/domain/event"
import { type IdempotencyStore } from "@lastro/domain/idempotency"
import {
  type ApiClientRepository,
  type CommonPasswords,
  type LoginAttempts,
  type PasswordHasher,
  type PrincipalRepository,
  type RefreshTokenRepository,
  type SigningKeyRepository,
  type TokenSigner
} from "@lastro/domain/identity"
import { type JobPorts, type StoredJobs } from "@lastro/domain/jobs"
import { type DocumentSource, type LenderThrottle } from "@lastro/domain/lender"
import { type Installation } from "@lastro/domain/operator"
import {
  type ApplicationRepository,
  type DurableWork,
  type KycSuggestions,
  type ProposalRepository
} from "@lastro/domain/origination"
import { type PartnerRepository } from "@lastro/domain/partner"
import { type IdGenerator, type PartnerTree, type SecretGenerator, type UnitOfWork } from "@lastro/domain/ports"
import { type UserRepository } from "@lastro/domain/user"
import { type WebhookQueue, type WebhookRepository } from "@lastro/domain/webhook"
import { type ScriptedLender } from "../lender/ScriptedLender.ts"
import { type AuditInspector } from "../memory/audit.ts"
import { type IdempotencyInspector } from "../memory/idempotency.ts"
import { type StoredDocuments } from "../memory/lender.ts"
import { type OriginationStorage } from "../scenarios/LoanFixture.ts"
import { auditLogCases, auditTrailCases, personalDataHasherCases } from "./audit/auditCases.ts"
import { eventLogCases } from "./event/eventLogCases.ts"
import { subscriptionStoreCases } from "./event/subscriptionStoreCases.ts"
import { findCases } from "./hierarchy/findCases.ts"
import { hierarchyModelCases, partnerTreeCases, treeFinds } from "./hierarchy/partnerTreeCases.ts"
import { treeLockCases, treeRaceCases } from "./hierarchy/treeLockCases.ts"
import { idempotencyStoreCases } from "./idempotency/idempotencyStoreCases.ts"
import { apiClientCases } from "./identity/apiClientCases.ts"
import { loginAttemptsCases } from "./identity/loginAttemptsCases.ts"
import { commonPasswordsCases, passwordHasherCases } from "./identity/passwordCases.ts"
import { principalActivityCases, principalCases } from "./identity/principalCases.ts"
import { signingKeyCases } from "./identity/signingKeyCases.ts"
import { refreshTokenCases, tokenSignerCases } from "./identity/tokenCases.ts"
import { listCases, nameOrderCases, totalCases } from "./input/listCases.ts"
import { dueJobCases, earlyCallbackCases } from "./jobs/dueJobCases.ts"
import { durableContractCases } from "./jobs/durableContractCases.ts"
import { durableNodesCases, type WorkNodes } from "./jobs/durableNodesCases.ts"
import { durableQuoteCases } from "./jobs/durableQuoteCases.ts"
import { durableTurnsCases } from "./jobs/durableTurnsCases.ts"
import { storedJobCases } from "./jobs/storedJobCases.ts"
import { documentSourceCases } from "./lender/documentSourceCases.ts"
import { lenderThrottleCases } from "./lender/lenderThrottleCases.ts"
import { installationCases } from "./operator/installationCases.ts"
import { contractReferenceCases, customerContractCases } from "./origination/applicationContractCases.ts"
import { applicationListCases } from "./origination/applicationListCases.ts"
import { applicationRepositoryCases } from "./origination/applicationRepositoryCases.ts"
import { applicationFinds, applicationScopeCases, applicationSearchCases } from "./origination/applicationScopeCases.ts"
import { expiredQuoteCases } from "./origination/expiredQuoteCases.ts"
import { kycSuggestionsCases } from "./origination/kycSuggestionsCases.ts"
import { hostCallerCases, originationModelCases, originationRaceCases } from "./origination/originationRulesCases.ts"
import {
  proposalFinds,
  proposalList,
  proposalListModelCases,
  proposalRepositoryCases
} from "./origination/proposalCases.ts"
import { partnerList, partnerListModelCases } from "./partner/partnerListCases.ts"
import {
  partnerDocumentCases,
  partnerFinds,
  partnerRemovalCases,
  partnerRepositoryCases
} from "./partner/partnerRepositoryCases.ts"
import { idGeneratorCases, secretGeneratorCases } from "./ports/generatorCases.ts"
import { type HostPorts } from "./ports/hostFixture.ts"
import { hostTransactionsCases } from "./ports/hostTransactionsCases.ts"
import { nestedUnitCases, unitOfWorkCases } from "./ports/unitOfWorkCases.ts"
import { type PersonalDataPorts, personalDataStoreCases } from "./privacy/personalDataStoreCases.ts"
import { contractSuite } from "./suite/ContractSuite.ts"
import { type AccountStorage } from "./user/accountCalls.ts"
import { accountRulesCases } from "./user/accountRulesCases.ts"
import { signInCases } from "./user/signInCases.ts"
import { userList, userListModelCases } from "./user/userListCases.ts"
import { userEmailCases, userFinds, userRepositoryCases } from "./user/userRepositoryCases.ts"
import { webhookQueueCases } from "./webhook/webhookQueueCases.ts"
import { webhookFinds, webhookRepositoryCases } from "./webhook/webhookRepositoryCases.ts"

/** Contract suite for Installation. Requires an empty database. */
export const installationSuite = contractSuite<Installation | PartnerRepository | UnitOfWork>([{
  port: "Installation",
  cases: [installationCases]
}])

/** Contract suite for SigningKeyRepository. Requires a database without signing keys. */
export const signingKeyRepositorySuite = contractSuite<SigningKeyRepository | UnitOfWork>([{
  port: "SigningKeyRepository",
  cases: [signingKeyCases]
}])

/** Contract suite for UnitOfWork. */
export const unitOfWorkSuite = contractSuite<PartnerRepository | UnitOfWork>([{
  port: "UnitOfWork",
  cases: [unitOfWorkCases, nestedUnitCases]
}])

/** Contract suite for HostTransactions. The layer has to provide all ports of the use cases, and an AuditInspector. */
export const hostTransactionsSuite = contractSuite<HostPorts>([{
  port: "HostTransactions",
  cases: [hostTransactionsCases]
}])

/** Contract suite for PartnerRepository. */
export const partnerRepositorySuite = contractSuite<PartnerRepository | UnitOfWork | UserRepository>([{
  port: "PartnerRepository",
  cases: [
    findCases(partnerFinds),
    partnerRepositoryCases,
    partnerRemovalCases,
    partnerDocumentCases,
    listCases(partnerList),
    nameOrderCases(partnerList),
    totalCases(partnerList),
    partnerListModelCases
  ]
}])

/** Contract suite for PartnerTree. */
export const partnerTreeSuite = contractSuite<PartnerRepository | PartnerTree | UnitOfWork>([{
  port: "PartnerTree",
  cases: [findCases(treeFinds), partnerTreeCases, treeLockCases, hierarchyModelCases]
}])

/** Contract suite for UserRepository. */
export const userRepositorySuite = contractSuite<PartnerRepository | UnitOfWork | UserRepository>([{
  port: "UserRepository",
  cases: [
    findCases(userFinds),
    userRepositoryCases,
    userEmailCases,
    listCases(userList),
    nameOrderCases(userList),
    totalCases(userList),
    userListModelCases
  ]
}])

/** Contract suite for the rules of users, which use cases and storage enforce together. */
export const accountRulesSuite = contractSuite<AccountStorage>([{
  port: "Accounts",
  cases: [accountRulesCases, signInCases]
}])

/** Contract suite for PrincipalRepository. */
export const principalRepositorySuite = contractSuite<
  ApiClientRepository | PartnerRepository | PrincipalRepository | RefreshTokenRepository | UserRepository
>([{ port: "PrincipalRepository", cases: [principalCases, principalActivityCases] }])

/** Contract suite for ApiClientRepository. */
export const apiClientRepositorySuite = contractSuite<
  ApiClientRepository | PartnerRepository | PrincipalRepository | UnitOfWork
>([{ port: "ApiClientRepository", cases: [apiClientCases] }])

/** Contract suite for RefreshTokenRepository. */
export const refreshTokenRepositorySuite = contractSuite<
  PartnerRepository | RefreshTokenRepository | UnitOfWork | UserRepository
>([{ port: "RefreshTokenRepository", cases: [refreshTokenCases] }])

/** Contract suite for LoginAttempts. */
export const loginAttemptsSuite = contractSuite<LoginAttempts | UnitOfWork>([{
  port: "LoginAttempts",
  cases: [loginAttemptsCases]
}])

/** Contract suite for AuditLog. */
export const auditLogSuite = contractSuite<AuditInspector | AuditLog | PartnerRepository | UnitOfWork>([{
  port: "AuditLog",
  cases: [auditLogCases]
}])

/** Contract suite for EventLog. */
export const eventLogSuite = contractSuite<EventLog | PartnerRepository | PartnerTree | UnitOfWork>([{
  port: "EventLog",
  cases: [eventLogCases]
}])

/** Contract suite for SubscriptionStore. */
export const subscriptionStoreSuite = contractSuite<EventLog | PartnerRepository | SubscriptionStore | UnitOfWork>([{
  port: "SubscriptionStore",
  cases: [subscriptionStoreCases]
}])

type WebhookPorts = EventLog | PartnerRepository | UnitOfWork | WebhookQueue | WebhookRepository

/** Contract suite for WebhookRepository. */
export const webhookRepositorySuite = contractSuite<WebhookPorts>([{
  port: "WebhookRepository",
  cases: [findCases(webhookFinds), webhookRepositoryCases]
}])

/** Contract suite for WebhookQueue. */
export const webhookQueueSuite = contractSuite<WebhookPorts>([{
  port: "WebhookQueue",
  cases: [webhookQueueCases]
}])

/** Contract suite for AuditTrail. */
export const auditTrailSuite = contractSuite<AuditLog | AuditTrail | PartnerRepository | UnitOfWork>([{
  port: "AuditTrail",
  cases: [auditTrailCases]
}])

/** Contract suite for IdempotencyStore. An IdempotencyInspector reads the stored data. */
export const idempotencyStoreSuite = contractSuite<
  IdempotencyInspector | IdempotencyStore | PartnerRepository | UnitOfWork
>([{
  port: "IdempotencyStore",
  cases: [idempotencyStoreCases]
}])

/** Contract suite for ApplicationRepository. */
export const applicationRepositorySuite = contractSuite<
  ApplicationRepository | PartnerRepository | PartnerTree | UnitOfWork
>([{
  port: "ApplicationRepository",
  cases: [
    findCases(applicationFinds),
    applicationRepositoryCases,
    applicationScopeCases,
    applicationSearchCases,
    applicationListCases,
    expiredQuoteCases,
    contractReferenceCases,
    customerContractCases
  ]
}])

/** Contract suite for ProposalRepository. */
export const proposalRepositorySuite = contractSuite<
  ApplicationRepository | PartnerRepository | PartnerTree | ProposalRepository | UnitOfWork
>([{
  port: "ProposalRepository",
  cases: [findCases(proposalFinds), proposalRepositoryCases, listCases(proposalList), proposalListModelCases]
}])

/** Contract suite for KycSuggestions. */
export const kycSuggestionsSuite = contractSuite<
  ApplicationRepository | KycSuggestions | PartnerRepository | PartnerTree | UnitOfWork
>([{ port: "KycSuggestions", cases: [kycSuggestionsCases] }])

/** Contract suite for PersonalDataHasher. */
export const personalDataHasherSuite = contractSuite<PersonalDataHasher>([{
  port: "PersonalDataHasher",
  cases: [personalDataHasherCases]
}])

/** Contract suite for PersonalDataStore. */
export const personalDataStoreSuite = contractSuite<PersonalDataPorts>([{
  port: "PersonalDataStore",
  cases: [personalDataStoreCases]
}])

/** Contract suite for DurableWork and StoredJobs. The layer also has to provide the scripted lender, which the jobs call. */
export const durableWorkSuite = contractSuite<
  ApplicationRepository | DurableWork | JobPorts | PartnerRepository | ScriptedLender | StoredJobs | UnitOfWork
>([{ port: "DurableWork", cases: [durableQuoteCases, durableContractCases, dueJobCases, earlyCallbackCases] }, {
  port: "StoredJobs",
  cases: [storedJobCases]
}])

/** Contract suite for the turns of durable jobs. The layer runs one job of each kind at a time, and provides the scripted lender. */
export const durableTurnsSuite = contractSuite<
  ApplicationRepository | DurableWork | PartnerRepository | ScriptedLender | UnitOfWork
>([{ port: "DurableWork with one slot", cases: [durableTurnsCases] }])

/** Contract suite for two nodes on one store: leases, fences and takeover. For stores that several processes can open. */
export const durableNodesSuite = contractSuite<WorkNodes>([{
  port: "DurableWork on two nodes",
  cases: [durableNodesCases]
}])

/** Contract suite for DocumentSource. The layer also has to provide StoredDocuments, which stores documents for the source. */
export const documentSourceSuite = contractSuite<DocumentSource | StoredDocuments>([{
  port: "DocumentSource",
  cases: [documentSourceCases]
}])

/** Contract suite for LenderThrottle. */
export const lenderThrottleSuite = contractSuite<LenderThrottle>([{
  port: "LenderThrottle",
  cases: [lenderThrottleCases]
}])

/** Contract suite for the rules of loan origination, which use cases and storage enforce together. */
export const originationRulesSuite = contractSuite<OriginationStorage | PartnerRepository>([{
  port: "Origination",
  cases: [originationModelCases, originationRaceCases, hostCallerCases, treeRaceCases]
}])

/** Contract suite for IdGenerator. */
export const idGeneratorSuite = contractSuite<IdGenerator>([{ port: "IdGenerator", cases: [idGeneratorCases] }])

/** Contract suite for SecretGenerator. */
export const secretGeneratorSuite = contractSuite<SecretGenerator>([{
  port: "SecretGenerator",
  cases: [secretGeneratorCases]
}])

/** Contract suite for PasswordHasher. */
export const passwordHasherSuite = contractSuite<PasswordHasher>([{
  port: "PasswordHasher",
  cases: [passwordHasherCases]
}])

/** Contract suite for CommonPasswords. */
export const commonPasswordsSuite = contractSuite<CommonPasswords>([{
  port: "CommonPasswords",
  cases: [commonPasswordsCases]
}])

/** Contract suite for TokenSigner. Uses the test clock. */
export const tokenSignerSuite = contractSuite<TokenSigner>([{ port: "TokenSigner", cases: [tokenSignerCases] }], "test")
