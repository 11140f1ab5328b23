import { Layer } from "effect"
import * as ApiClientRepository from "./ApiClientRepository.ts"
import * as AuditLog from "./AuditLog.ts"
import * as IdempotencyStore from "./IdempotencyStore.ts"
import * as IdGenerator from "./IdGenerator.ts"
import * as Installation from "./Installation.ts"
import * as LoginAttempts from "./LoginAttempts.ts"
import * as MemoryDatabase from "./MemoryDatabase.ts"
import * as PartnerRepository from "./PartnerRepository.ts"
import * as PartnerTree from "./PartnerTree.ts"
import * as PasswordHasher from "./PasswordHasher.ts"
import * as PrincipalRepository from "./PrincipalRepository.ts"
import * as RefreshTokenRepository from "./RefreshTokenRepository.ts"
import * as SecretGenerator from "./SecretGenerator.ts"
import * as SigningKeyRepository from "./SigningKeyRepository.ts"
import * as TokenSigner from "./TokenSigner.ts"
import * as UnitOfWork from "./UnitOfWork.ts"
import * as UserRepository from "./UserRepository.ts"

const repositories = Layer.mergeAll(
  ApiClientRepository.layer,
  AuditLog.layer,
  AuditLog.layerInspector,
  IdempotencyStore.layer,
  Installation.layer,
  LoginAttempts.layer,
  PartnerRepository.layer,
  PartnerTree.layer,
  PrincipalRepository.layer,
  RefreshTokenRepository.layer,
  SigningKeyRepository.layer,
  UnitOfWork.layer,
  UserRepository.layer
)

const generators = Layer.mergeAll(IdGenerator.layer, PasswordHasher.layer, SecretGenerator.layer, TokenSigner.layer)

/** Every port of the domain in memory, over one empty {@link MemoryDatabase.MemoryDatabase} that can be inspected. */
export const layerMemory = Layer.mergeAll(Layer.provideMerge(repositories, MemoryDatabase.layer), generators)
