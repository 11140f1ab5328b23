import { type AuditLog, type AuditRetention, type AuditTrail, type PersonalDataHasher } from "@lastro/domain/audit"
import {
  type CommissionLedger,
  type CommissionPlans,
  type CommissionSettlement,
  type CommissionStatements,
  type HostContracts
} from "@lastro/domain/commission"
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
import { type Installation } from "@lastro/domain/operator"
import { type ApplicationRepository } from "@lastro/domain/origination"
import { type PartnerRepository } from "@lastro/domain/partner"
import {
  type CursorSeal,
  type IdGenerator,
  type PartnerTree,
  type SecretGenerator,
  type UnitOfWork
} from "@lastro/domain/ports"
import { type UserRepository } from "@lastro/domain/user"
import { type WebhookQueue, type WebhookRepository } from "@lastro/domain/webhook"
import { type AuditInspector } from "../memory/audit.ts"
import { type IdempotencyInspector } from "../memory/idempotency.ts"
import { auditLogCases, auditRetentionCases, auditTrailCases, personalDataHasherCases } from "./audit/auditCases.ts"
import { commissionLedgerCases } from "./commission/commissionLedgerCases.ts"
import { commissionPlanCases } from "./commission/commissionPlanCases.ts"
import { commissionSettlementCases } from "./commission/commissionSettlementCases.ts"
import { commissionStatementCases } from "./commission/commissionStatementCases.ts"
import { commissionSummaryCases } from "./commission/commissionSummaryCases.ts"
import { hostContractCases } from "./commission/hostContractCases.ts"
import { eventLogCases } from "./event/eventLogCases.ts"
import { subscriptionStoreCases } from "./event/subscriptionStoreCases.ts"
import { findCases } from "./hierarchy/findCases.ts"
import { hierarchyModelCases } from "./hierarchy/hierarchyModelCases.ts"
import { partnerTreeCases, treeFinds } from "./hierarchy/partnerTreeCases.ts"
import { treeLockCases } from "./hierarchy/treeLockCases.ts"
import { idempotencyStoreCases } from "./idempotency/idempotencyStoreCases.ts"
import { apiClientCases } from "./identity/apiClientCases.ts"
import { apiClientListCases } from "./identity/apiClientListCases.ts"
import { loginAttemptsCases } from "./identity/loginAttemptsCases.ts"
import { commonPasswordsCases, passwordHasherCases } from "./identity/passwordCases.ts"
import { principalActivityCases, principalCases } from "./identity/principalCases.ts"
import { signingKeyCases } from "./identity/signingKeyCases.ts"
import { refreshTokenCases, tokenSignerCases } from "./identity/tokenCases.ts"
import { listCases, nameOrderCases, totalCases } from "./input/listCases.ts"
import { installationCases } from "./operator/installationCases.ts"
import { partnerList, partnerListModelCases } from "./partner/partnerListCases.ts"
import {
  partnerDocumentCases,
  partnerFinds,
  partnerRemovalCases,
  partnerRepositoryCases
} from "./partner/partnerRepositoryCases.ts"
import { cursorSealCases } from "./ports/cursorSealCases.ts"
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
import { requestedDeliveryCases } from "./webhook/requestedDeliveryCases.ts"
import { webhookAttemptCases } from "./webhook/webhookAttemptCases.ts"
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

/** Contract suite for HostTransactions. The layer must provide all ports of the use cases, and an AuditInspector. */
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

/** Contract suite for the rules of users that use cases and storage enforce together. */
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
>([{ port: "ApiClientRepository", cases: [apiClientCases, apiClientListCases] }])

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

/** Contract suite for CommissionPlans. */
export const commissionPlansSuite = contractSuite<CommissionPlans | PartnerRepository | PartnerTree | UnitOfWork>([{
  port: "CommissionPlans",
  cases: [commissionPlanCases]
}])

type CommissionPorts = ApplicationRepository | CommissionLedger | CommissionSettlement | PartnerRepository | UnitOfWork

/** Contract suite for CommissionLedger. */
export const commissionLedgerSuite = contractSuite<CommissionPorts>([{
  port: "CommissionLedger",
  cases: [commissionLedgerCases]
}])

/** Contract suite for CommissionSettlement. */
export const commissionSettlementSuite = contractSuite<CommissionPorts>([{
  port: "CommissionSettlement",
  cases: [commissionSettlementCases, commissionSummaryCases]
}])

/** Contract suite for CommissionStatements. */
export const commissionStatementsSuite = contractSuite<
  CommissionLedger | CommissionStatements | PartnerRepository | UnitOfWork
>([{ port: "CommissionStatements", cases: [commissionStatementCases] }])

/** Contract suite for HostContracts. */
export const hostContractsSuite = contractSuite<HostContracts | PartnerRepository | UnitOfWork>([{
  port: "HostContracts",
  cases: [hostContractCases]
}])

type WebhookPorts = EventLog | PartnerRepository | UnitOfWork | WebhookQueue | WebhookRepository

/** Contract suite for WebhookRepository. */
export const webhookRepositorySuite = contractSuite<WebhookPorts>([{
  port: "WebhookRepository",
  cases: [findCases(webhookFinds), webhookRepositoryCases, requestedDeliveryCases]
}])

/** Contract suite for WebhookQueue. */
export const webhookQueueSuite = contractSuite<WebhookPorts>([{
  port: "WebhookQueue",
  cases: [webhookQueueCases, webhookAttemptCases]
}])

/** Contract suite for AuditTrail. */
export const auditTrailSuite = contractSuite<AuditLog | AuditTrail | PartnerRepository | UnitOfWork>([{
  port: "AuditTrail",
  cases: [auditTrailCases]
}])

/** Contract suite for AuditRetention. It deletes the oldest entries of all trees. */
export const auditRetentionSuite = contractSuite<
  AuditLog | AuditRetention | AuditTrail | PartnerRepository | UnitOfWork
>([{ port: "AuditRetention", cases: [auditRetentionCases] }])

/** Contract suite for IdempotencyStore. An IdempotencyInspector reads the stored data. */
export const idempotencyStoreSuite = contractSuite<
  IdempotencyInspector | IdempotencyStore | PartnerRepository | UnitOfWork
>([{
  port: "IdempotencyStore",
  cases: [idempotencyStoreCases]
}])

/** Contract suite for CursorSeal. */
export const cursorSealSuite = contractSuite<CursorSeal>([{ port: "CursorSeal", cases: [cursorSealCases] }])

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
