import { type AuditLog } from "@lastro/domain/audit"
import { type PartnerTree } from "@lastro/domain/hierarchy"
import { type IdempotencyStore } from "@lastro/domain/idempotency"
import { type ApiClientRepository, type PrincipalRepository } from "@lastro/domain/identity"
import { type Installation } from "@lastro/domain/operator"
import { type PartnerRepository } from "@lastro/domain/partner"
import { type ProposalRepository } from "@lastro/domain/proposal"
import { type LoginAttempts, type RefreshTokenRepository, type SigningKeyRepository } from "@lastro/domain/token"
import { type UnitOfWork } from "@lastro/domain/transaction"
import { type UserRepository } from "@lastro/domain/user"
import { type AuditInspector } from "../audit/AuditInspector.ts"
import { type OriginationStorage } from "../scenarios/LoanFixture.ts"
import * as contracts from "./contracts.ts"
import { type ContractSuite, contractSuite } from "./suite/ContractSuite.ts"

/** The ports that store partners, users and identity. */
export type AdministrationPorts =
  | ApiClientRepository
  | AuditLog
  | IdempotencyStore
  | Installation
  | LoginAttempts
  | PartnerRepository
  | PartnerTree
  | PrincipalRepository
  | RefreshTokenRepository
  | SigningKeyRepository
  | UnitOfWork
  | UserRepository

/**
 * Runs the contracts of all administration ports over one layer, whose database has to be empty. The layer also provides an
 * AuditInspector, which reads back the audit log.
 */
export const administrationSuite: ContractSuite<AdministrationPorts | AuditInspector> = contractSuite<
  AdministrationPorts | AuditInspector
>([
  contracts.installationContract,
  contracts.signingKeyContract,
  contracts.unitOfWorkContract,
  contracts.partnerRepositoryContract,
  contracts.partnerTreeContract,
  contracts.userRepositoryContract,
  contracts.principalContract,
  contracts.apiClientContract,
  contracts.refreshTokenContract,
  contracts.loginAttemptsContract,
  contracts.auditLogContract,
  contracts.idempotencyContract
])

/** The ports that store applications, proposals and KYC data. */
export type OriginationRepositories = OriginationStorage | PartnerRepository | ProposalRepository

/** Runs the contracts of all origination ports over one layer, except `DurableWork`: see `durableWorkSuite`. */
export const originationSuite: ContractSuite<OriginationRepositories> = contractSuite<OriginationRepositories>([
  contracts.applicationRepositoryContract,
  contracts.proposalRepositoryContract,
  contracts.kycSuggestionsContract,
  contracts.personalDataHasherContract,
  contracts.originationRulesContract
])
