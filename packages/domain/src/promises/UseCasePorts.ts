import { type AuditLog } from "../audit/AuditLog.ts"
import { type AuditTrail } from "../audit/AuditTrail.ts"
import { type PersonalDataHasher } from "../audit/PersonalDataHasher.ts"
import { type Lender } from "../fgts/lender/Lender.ts"
import { type LenderThrottle } from "../fgts/lender/LenderThrottle.ts"
import { type ApplicationRepository } from "../fgts/origination/ApplicationRepository.ts"
import { type DurableWork } from "../fgts/origination/DurableWork.ts"
import { type KycSuggestions } from "../fgts/origination/KycSuggestions.ts"
import { type StatusWatch } from "../fgts/origination/StatusWatch.ts"
import { type StoredJobs } from "../fgts/origination/StoredJobs.ts"
import { type PartnerTree } from "../hierarchy/PartnerTree.ts"
import { type IdGenerator } from "../id/IdGenerator.ts"
import { type SecretGenerator } from "../id/SecretGenerator.ts"
import { type IdempotencyStore } from "../idempotency/IdempotencyStore.ts"
import { type ApiClientRepository } from "../identity/ApiClient.ts"
import { type CommonPasswords } from "../identity/CommonPasswords.ts"
import { type PasswordHasher } from "../identity/PasswordHasher.ts"
import { type PrincipalRepository } from "../identity/Principal.ts"
import { type Installation } from "../operator/Installation.ts"
import { type PartnerRepository } from "../partner/PartnerRepository.ts"
import { type PersonalDataStore } from "../privacy/PersonalDataStore.ts"
import { type ProposalRepository } from "../proposal/ProposalRepository.ts"
import { type LoginAttempts } from "../token/LoginAttempts.ts"
import { type RefreshTokenRepository } from "../token/RefreshToken.ts"
import { type TokenSigner } from "../token/TokenSigner.ts"
import { type UnitOfWork } from "../transaction/UnitOfWork.ts"
import { type UserRepository } from "../user/UserRepository.ts"

/**
 * The ports that use cases need. Use cases call the lender only to read the exits that it offers (cancellation, refund,
 * new signature link). Durable jobs make all other calls.
 */
export type UseCasePorts =
  | ApiClientRepository
  | ApplicationRepository
  | AuditLog
  | AuditTrail
  | CommonPasswords
  | DurableWork
  | IdempotencyStore
  | IdGenerator
  | Installation
  | KycSuggestions
  | Lender
  | LenderThrottle
  | LoginAttempts
  | PartnerRepository
  | PartnerTree
  | PasswordHasher
  | PersonalDataHasher
  | PersonalDataStore
  | PrincipalRepository
  | ProposalRepository
  | RefreshTokenRepository
  | SecretGenerator
  | StatusWatch
  | StoredJobs
  | TokenSigner
  | UnitOfWork
  | UserRepository
