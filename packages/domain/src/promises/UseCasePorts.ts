import { type AuditLog } from "../audit/AuditLog.ts"
import { type AuditTrail } from "../audit/AuditTrail.ts"
import { type PersonalDataHasher } from "../audit/PersonalDataHasher.ts"
import { type CommissionLedger } from "../commission/CommissionLedger.ts"
import { type CommissionPlans } from "../commission/CommissionPlans.ts"
import { type CommissionSettlement } from "../commission/CommissionSettlement.ts"
import { type CommissionStatements } from "../commission/CommissionStatements.ts"
import { type EventLog } from "../event/EventLog.ts"
import { type SubscriptionStore } from "../event/SubscriptionStore.ts"
import { type IdempotencyStore } from "../idempotency/IdempotencyStore.ts"
import { type ApiClientRepository } from "../identity/ApiClient.ts"
import { type CommonPasswords } from "../identity/CommonPasswords.ts"
import { type LoginAttempts } from "../identity/LoginAttempts.ts"
import { type PasswordHasher } from "../identity/PasswordHasher.ts"
import { type PrincipalRepository } from "../identity/Principal.ts"
import { type RefreshTokenRepository } from "../identity/RefreshToken.ts"
import { type TokenSigner } from "../identity/TokenSigner.ts"
import { type StoredJobs } from "../jobs/StoredJobs.ts"
import { type Lender } from "../lender/Lender.ts"
import { type LenderThrottle } from "../lender/LenderThrottle.ts"
import { type RoutingRepository } from "../lender/RoutingRepository.ts"
import { type Installation } from "../operator/Installation.ts"
import { type ApplicationRepository, type ProposalRepository } from "../origination/ApplicationRepository.ts"
import { type DurableWork } from "../origination/DurableWork.ts"
import { type KycSuggestions } from "../origination/GetKyc.ts"
import { type PartnerRepository } from "../partner/PartnerRepository.ts"
import { type IdGenerator, type SecretGenerator } from "../ports/generators.ts"
import { type PartnerTree } from "../ports/PartnerTree.ts"
import { type StatusWatch } from "../ports/StatusWatch.ts"
import { type UnitOfWork } from "../ports/UnitOfWork.ts"
import { type PersonalDataStore } from "../privacy/PersonalDataStore.ts"
import { type UserRepository } from "../user/UserRepository.ts"
import { type WebhookRepository } from "../webhook/WebhookRepository.ts"
import { type WebhookSender } from "../webhook/WebhookSender.ts"

/**
 * The ports of the use cases. Use cases call the lender only to read what it supports (cancellation, refund, new
 * signature link). Durable jobs make all other calls.
 */
export type UseCasePorts =
  | ApiClientRepository
  | ApplicationRepository
  | AuditLog
  | AuditTrail
  | CommissionLedger
  | CommissionPlans
  | CommissionSettlement
  | CommissionStatements
  | CommonPasswords
  | DurableWork
  | EventLog
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
  | RoutingRepository
  | SecretGenerator
  | StatusWatch
  | StoredJobs
  | SubscriptionStore
  | TokenSigner
  | UnitOfWork
  | UserRepository
  | WebhookRepository
  | WebhookSender
