import {
  type ApiClientRepository,
  type AuditLog,
  type IdempotencyStore,
  type Installation,
  type LoginAttempts,
  type PartnerRepository,
  type PartnerTree,
  type PrincipalRepository,
  type ProposalRepository,
  type RefreshTokenRepository,
  type SigningKeyRepository,
  type UnitOfWork,
  type UserRepository
} from "@lastro/domain"
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
