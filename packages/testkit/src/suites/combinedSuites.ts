import { type AuditLog, type AuditTrail } from "@lastro/domain/audit"
import { type IdempotencyStore } from "@lastro/domain/idempotency"
import {
  type ApiClientRepository,
  type LoginAttempts,
  type PrincipalRepository,
  type RefreshTokenRepository,
  type SigningKeyRepository
} from "@lastro/domain/identity"
import { type Installation } from "@lastro/domain/operator"
import { type ProposalRepository } from "@lastro/domain/origination"
import { type PartnerRepository } from "@lastro/domain/partner"
import { type PartnerTree, type UnitOfWork } from "@lastro/domain/ports"
import { type PersonalDataStore } from "@lastro/domain/privacy"
import { type UserRepository } from "@lastro/domain/user"
import { type AuditInspector } from "../audit/AuditInspector.ts"
import { type OriginationStorage } from "../scenarios/LoanFixture.ts"
import * as contracts from "./contracts.ts"
import { type ContractSuite, contractSuite } from "./suite/ContractSuite.ts"

/** The ports that store partners, users, API clients and credentials. */
export type AdministrationPorts =
  | ApiClientRepository
  | AuditLog
  | AuditTrail
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
 * Runs the contract suites of all administration ports with one layer. The database has to be empty. The layer also has
 * to provide an AuditInspector, which reads the audit log.
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
  contracts.auditTrailContract,
  contracts.idempotencyContract
])

/** The ports that store applications, proposals and KYC data. */
export type OriginationRepositories =
  | LoginAttempts
  | OriginationStorage
  | PartnerRepository
  | PersonalDataStore
  | ProposalRepository

/** Runs the contract suites of all origination ports with one layer. For `DurableWork`, use `durableWorkSuite`. */
export const originationSuite: ContractSuite<OriginationRepositories> = contractSuite<OriginationRepositories>([
  contracts.applicationRepositoryContract,
  contracts.proposalRepositoryContract,
  contracts.kycSuggestionsContract,
  contracts.personalDataHasherContract,
  contracts.personalDataStoreContract,
  contracts.lenderThrottleContract,
  contracts.originationRulesContract
])
