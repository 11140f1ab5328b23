import {
  type ApiClientRepository,
  type AuditLog,
  type IdempotencyStore,
  type Installation,
  type LoginAttempts,
  type PartnerRepository,
  type PartnerTree,
  type PrincipalRepository,
  type RefreshTokenRepository,
  type SigningKeyRepository,
  type UnitOfWork,
  type UserRepository
} from "@lastro/domain"
import { type AuditInspector } from "../audit/AuditInspector.ts"
import { apiClientCases } from "./apiClientCases.ts"
import { auditLogCases } from "./auditLogCases.ts"
import { type Contract } from "./ContractSuite.ts"
import { hierarchyModelCases } from "./hierarchyModelCases.ts"
import { idempotencyCases } from "./idempotencyCases.ts"
import { innerUnitCases } from "./innerUnitCases.ts"
import { installationCases } from "./installationCases.ts"
import { partnerListFilterCases, userListFilterCases } from "./listFilterCases.ts"
import { partnerListScopeCases, userListScopeCases } from "./listScopeCases.ts"
import { loginAttemptsCases } from "./loginAttemptsCases.ts"
import { partnerOrderCases, userOrderCases } from "./orderCases.ts"
import { partnerPagingCases, userPagingCases } from "./pagingCases.ts"
import { partnerDocumentCases } from "./partnerDocumentCases.ts"
import { partnerListCases } from "./partnerListCases.ts"
import { partnerRemovalCases } from "./partnerRemovalCases.ts"
import { partnerRepositoryCases } from "./partnerRepositoryCases.ts"
import { partnerTreeCases } from "./partnerTreeCases.ts"
import { principalCases } from "./principalCases.ts"
import { principalStandingCases } from "./principalStandingCases.ts"
import { refreshTokenCases } from "./refreshTokenCases.ts"
import { signingKeyCases } from "./signingKeyCases.ts"
import { treeHoldCases } from "./treeHoldCases.ts"
import { unitOfWorkCases } from "./unitOfWorkCases.ts"
import { userEmailCases } from "./userEmailCases.ts"
import { userListCases } from "./userListCases.ts"
import { userRepositoryCases } from "./userRepositoryCases.ts"

/** The contract of Installation; its database has to be empty. */
export const installationContract: Contract<Installation | PartnerRepository | UnitOfWork> = {
  port: "Installation",
  cases: [installationCases]
}

/** The contract of SigningKeyRepository; its database must have no key yet. */
export const signingKeyContract: Contract<SigningKeyRepository> = {
  port: "SigningKeyRepository",
  cases: [signingKeyCases]
}

/** The contract of UnitOfWork. */
export const unitOfWorkContract: Contract<PartnerRepository | UnitOfWork> = {
  port: "UnitOfWork",
  cases: [unitOfWorkCases, innerUnitCases]
}

/** The contract of PartnerRepository. */
export const partnerRepositoryContract: Contract<PartnerRepository | UnitOfWork | UserRepository> = {
  port: "PartnerRepository",
  cases: [
    partnerRepositoryCases,
    partnerRemovalCases,
    partnerDocumentCases,
    partnerListScopeCases,
    partnerListCases,
    partnerListFilterCases,
    partnerOrderCases,
    partnerPagingCases
  ]
}

/** The contract of PartnerTree. */
export const partnerTreeContract: Contract<PartnerRepository | PartnerTree | UnitOfWork> = {
  port: "PartnerTree",
  cases: [partnerTreeCases, treeHoldCases, hierarchyModelCases]
}

/** The contract of UserRepository. */
export const userRepositoryContract: Contract<PartnerRepository | UnitOfWork | UserRepository> = {
  port: "UserRepository",
  cases: [
    userRepositoryCases,
    userEmailCases,
    userListScopeCases,
    userListCases,
    userListFilterCases,
    userOrderCases,
    userPagingCases
  ]
}

/** The contract of PrincipalRepository. */
export const principalContract: Contract<
  ApiClientRepository | PartnerRepository | PrincipalRepository | UserRepository
> = {
  port: "PrincipalRepository",
  cases: [principalCases, principalStandingCases]
}

/** The contract of ApiClientRepository. */
export const apiClientContract: Contract<ApiClientRepository | PartnerRepository | PrincipalRepository | UnitOfWork> = {
  port: "ApiClientRepository",
  cases: [apiClientCases]
}

/** The contract of RefreshTokenRepository. */
export const refreshTokenContract: Contract<PartnerRepository | RefreshTokenRepository | UnitOfWork | UserRepository> =
  {
    port: "RefreshTokenRepository",
    cases: [refreshTokenCases]
  }

/** The contract of LoginAttempts. */
export const loginAttemptsContract: Contract<LoginAttempts | UnitOfWork> = {
  port: "LoginAttempts",
  cases: [loginAttemptsCases]
}

/** The contract of AuditLog. */
export const auditLogContract: Contract<AuditInspector | AuditLog | PartnerRepository | UnitOfWork> = {
  port: "AuditLog",
  cases: [auditLogCases]
}

/** The contract of IdempotencyStore. */
export const idempotencyContract: Contract<IdempotencyStore | PartnerRepository | UnitOfWork> = {
  port: "IdempotencyStore",
  cases: [idempotencyCases]
}
