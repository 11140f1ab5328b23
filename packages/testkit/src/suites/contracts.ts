import { type AuditLog, type AuditTrail, type PersonalDataHasher } from "@lastro/domain/audit"
import { type IdempotencyStore } from "@lastro/domain/idempotency"
import {
  type ApiClientRepository,
  type LoginAttempts,
  type PrincipalRepository,
  type RefreshTokenRepository,
  type SigningKeyRepository
} from "@lastro/domain/identity"
import { type JobPorts, type StoredJobs } from "@lastro/domain/jobs"
import { type DocumentSource, type Lender, type LenderThrottle } from "@lastro/domain/lender"
import { type Installation } from "@lastro/domain/operator"
import {
  type ApplicationRepository,
  type DurableWork,
  type KycSuggestions,
  type ProposalRepository
} from "@lastro/domain/origination"
import { type PartnerRepository } from "@lastro/domain/partner"
import { type PartnerTree, type UnitOfWork } from "@lastro/domain/ports"
import { type UserRepository } from "@lastro/domain/user"
import { type AuditInspector } from "../audit/AuditInspector.ts"
import { type ScriptedLender } from "../lender/ScriptedLender.ts"
import { type StoredDocuments } from "../lender/StoredDocuments.ts"
import { type OriginationStorage } from "../scenarios/LoanFixture.ts"
import { auditLogCases } from "./audit/auditLogCases.ts"
import { auditTrailCases } from "./audit/auditTrailCases.ts"
import { findCases } from "./hierarchy/findCases.ts"
import { hierarchyModelCases } from "./hierarchy/hierarchyModelCases.ts"
import { partnerTreeCases, treeFinds } from "./hierarchy/partnerTreeCases.ts"
import { treeLockCases } from "./hierarchy/treeLockCases.ts"
import { idempotencyStoreCases } from "./idempotency/idempotencyStoreCases.ts"
import { apiClientCases } from "./identity/apiClientCases.ts"
import { loginAttemptsCases } from "./identity/loginAttemptsCases.ts"
import { principalActivityCases } from "./identity/principalActivityCases.ts"
import { principalCases } from "./identity/principalCases.ts"
import { refreshTokenCases } from "./identity/refreshTokenCases.ts"
import { signingKeyCases } from "./identity/signingKeyCases.ts"
import { dueJobCases } from "./jobs/dueJobCases.ts"
import { durableContractCases } from "./jobs/durableContractCases.ts"
import { durableNodesCases } from "./jobs/durableNodesCases.ts"
import { durableQuoteCases } from "./jobs/durableQuoteCases.ts"
import { earlyCallbackCases } from "./jobs/earlyCallbackCases.ts"
import { storedJobCases } from "./jobs/storedJobCases.ts"
import { type WorkNodes } from "./jobs/WorkNodes.ts"
import { documentSourceCases } from "./lender/documentSourceCases.ts"
import { lenderContractCases } from "./lender/lenderContractCases.ts"
import { lenderCallbackCases, lenderExitCases } from "./lender/lenderExitCases.ts"
import { type LenderFixtures } from "./lender/LenderFixtures.ts"
import { lenderQuoteCases } from "./lender/lenderQuoteCases.ts"
import { lenderThrottleCases } from "./lender/lenderThrottleCases.ts"
import { listCases, nameOrderCases, totalCases } from "./list/listCases.ts"
import { applicationListCases } from "./origination/applicationListCases.ts"
import { applicationRepositoryCases } from "./origination/applicationRepositoryCases.ts"
import { applicationFinds, applicationScopeCases } from "./origination/applicationScopeCases.ts"
import { applicationSearchCases } from "./origination/applicationSearchCases.ts"
import { contractReferenceCases } from "./origination/contractReferenceCases.ts"
import { customerContractCases } from "./origination/customerContractCases.ts"
import { hostCallerCases } from "./origination/hostCallerCases.ts"
import { kycSuggestionsCases } from "./origination/kycSuggestionsCases.ts"
import { originationModelCases } from "./origination/originationModelCases.ts"
import { originationRaceCases } from "./origination/originationRaceCases.ts"
import { personalDataHasherCases } from "./origination/personalDataHasherCases.ts"
import { proposalList, proposalListModelCases } from "./origination/proposalListCases.ts"
import { proposalFinds, proposalRepositoryCases } from "./origination/proposalRepositoryCases.ts"
import { partnerDocumentCases } from "./partner/partnerDocumentCases.ts"
import { partnerList, partnerListModelCases } from "./partner/partnerListCases.ts"
import { partnerRemovalCases } from "./partner/partnerRemovalCases.ts"
import { partnerFinds, partnerRepositoryCases } from "./partner/partnerRepositoryCases.ts"
import { type PersonalDataPorts, personalDataStoreCases } from "./privacy/personalDataStoreCases.ts"
import { type Contract } from "./suite/ContractSuite.ts"
import { type HostPorts } from "./transaction/hostFixture.ts"
import { hostTransactionsCases } from "./transaction/hostTransactionsCases.ts"
import { installationCases } from "./transaction/installationCases.ts"
import { nestedUnitCases } from "./transaction/nestedUnitCases.ts"
import { unitOfWorkCases } from "./transaction/unitOfWorkCases.ts"
import { userEmailCases } from "./user/userEmailCases.ts"
import { userList, userListModelCases } from "./user/userListCases.ts"
import { userFinds, userRepositoryCases } from "./user/userRepositoryCases.ts"

export const installationContract: Contract<Installation | PartnerRepository | UnitOfWork> = {
  port: "Installation",
  cases: [installationCases]
}

export const signingKeyContract: Contract<SigningKeyRepository> = {
  port: "SigningKeyRepository",
  cases: [signingKeyCases]
}

export const unitOfWorkContract: Contract<PartnerRepository | UnitOfWork> = {
  port: "UnitOfWork",
  cases: [unitOfWorkCases, nestedUnitCases]
}

export const hostTransactionsContract: Contract<HostPorts> = {
  port: "HostTransactions",
  cases: [hostTransactionsCases]
}

export const partnerRepositoryContract: Contract<PartnerRepository | UnitOfWork | UserRepository> = {
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
}

export const partnerTreeContract: Contract<PartnerRepository | PartnerTree | UnitOfWork> = {
  port: "PartnerTree",
  cases: [findCases(treeFinds), partnerTreeCases, treeLockCases, hierarchyModelCases]
}

export const userRepositoryContract: Contract<PartnerRepository | UnitOfWork | UserRepository> = {
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
}

export const principalContract: Contract<
  ApiClientRepository | PartnerRepository | PrincipalRepository | UserRepository
> = {
  port: "PrincipalRepository",
  cases: [principalCases, principalActivityCases]
}

export const apiClientContract: Contract<ApiClientRepository | PartnerRepository | PrincipalRepository | UnitOfWork> = {
  port: "ApiClientRepository",
  cases: [apiClientCases]
}

export const refreshTokenContract: Contract<PartnerRepository | RefreshTokenRepository | UnitOfWork | UserRepository> =
  {
    port: "RefreshTokenRepository",
    cases: [refreshTokenCases]
  }

export const loginAttemptsContract: Contract<LoginAttempts | UnitOfWork> = {
  port: "LoginAttempts",
  cases: [loginAttemptsCases]
}

export const auditLogContract: Contract<AuditInspector | AuditLog | PartnerRepository | UnitOfWork> = {
  port: "AuditLog",
  cases: [auditLogCases]
}

export const auditTrailContract: Contract<AuditLog | AuditTrail | PartnerRepository | UnitOfWork> = {
  port: "AuditTrail",
  cases: [auditTrailCases]
}

export const personalDataStoreContract: Contract<PersonalDataPorts> = {
  port: "PersonalDataStore",
  cases: [personalDataStoreCases]
}

export const idempotencyContract: Contract<IdempotencyStore | PartnerRepository | UnitOfWork> = {
  port: "IdempotencyStore",
  cases: [idempotencyStoreCases]
}

export const applicationRepositoryContract: Contract<
  ApplicationRepository | PartnerRepository | PartnerTree | UnitOfWork
> = {
  port: "ApplicationRepository",
  cases: [
    findCases(applicationFinds),
    applicationRepositoryCases,
    applicationScopeCases,
    applicationSearchCases,
    applicationListCases,
    contractReferenceCases,
    customerContractCases
  ]
}

export const proposalRepositoryContract: Contract<
  ApplicationRepository | PartnerRepository | PartnerTree | ProposalRepository | UnitOfWork
> = {
  port: "ProposalRepository",
  cases: [findCases(proposalFinds), proposalRepositoryCases, listCases(proposalList), proposalListModelCases]
}

export const kycSuggestionsContract: Contract<
  ApplicationRepository | KycSuggestions | PartnerRepository | PartnerTree | UnitOfWork
> = {
  port: "KycSuggestions",
  cases: [kycSuggestionsCases]
}

export const personalDataHasherContract: Contract<PersonalDataHasher> = {
  port: "PersonalDataHasher",
  cases: [personalDataHasherCases]
}

export const durableWorkContract: Contract<
  ApplicationRepository | DurableWork | PartnerRepository | ScriptedLender | UnitOfWork
> = {
  port: "DurableWork",
  cases: [durableQuoteCases, durableContractCases, dueJobCases, earlyCallbackCases]
}

export const durableNodesContract: Contract<WorkNodes> = {
  port: "DurableWork on two nodes",
  cases: [durableNodesCases]
}

export const storedJobsContract: Contract<
  ApplicationRepository | DurableWork | JobPorts | PartnerRepository | ScriptedLender | StoredJobs | UnitOfWork
> = {
  port: "StoredJobs",
  cases: [storedJobCases]
}

export const lenderThrottleContract: Contract<LenderThrottle> = {
  port: "LenderThrottle",
  cases: [lenderThrottleCases]
}

export const documentSourceContract: Contract<DocumentSource | StoredDocuments> = {
  port: "DocumentSource",
  cases: [documentSourceCases]
}

export const lenderContract = <R>(fixtures: LenderFixtures<R>): Contract<Lender | R> => ({
  port: "Lender",
  cases: [lenderQuoteCases, lenderContractCases, lenderExitCases, lenderCallbackCases].map((cases) => cases(fixtures))
})

export const originationRulesContract: Contract<OriginationStorage | PartnerRepository> = {
  port: "Origination",
  cases: [originationModelCases, originationRaceCases, hostCallerCases]
}
