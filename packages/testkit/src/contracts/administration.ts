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
import {
  apiClientContract,
  auditLogContract,
  idempotencyContract,
  installationContract,
  loginAttemptsContract,
  partnerRepositoryContract,
  partnerTreeContract,
  principalContract,
  refreshTokenContract,
  signingKeyContract,
  unitOfWorkContract,
  userRepositoryContract
} from "./administrationContracts.ts"
import { type ContractSuite, contractSuite } from "./ContractSuite.ts"

/** The ports that partners, users and identity are kept behind. */
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
 * The contracts of all administration ports, over one layer whose database is empty at the start. The audit is read back
 * by an AuditInspector, which the layer provides beside the ports.
 */
export const administrationSuite: ContractSuite<AdministrationPorts | AuditInspector> = contractSuite<
  AdministrationPorts | AuditInspector
>([
  installationContract,
  signingKeyContract,
  unitOfWorkContract,
  partnerRepositoryContract,
  partnerTreeContract,
  userRepositoryContract,
  principalContract,
  apiClientContract,
  refreshTokenContract,
  loginAttemptsContract,
  auditLogContract,
  idempotencyContract
])
