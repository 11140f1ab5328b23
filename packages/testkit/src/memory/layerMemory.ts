import { layerStatusWatch } from "@lastro/domain"
import { Layer } from "effect"
import { layerScriptedLender } from "../lender/layerScriptedLender.ts"
import * as ApiClientRepository from "./ApiClientRepository.ts"
import * as ApplicationRepository from "./ApplicationRepository.ts"
import * as AuditLog from "./AuditLog.ts"
import * as DurableWork from "./DurableWork.ts"
import * as IdempotencyStore from "./IdempotencyStore.ts"
import * as IdGenerator from "./IdGenerator.ts"
import * as Installation from "./Installation.ts"
import * as KycSuggestions from "./KycSuggestions.ts"
import { layerContractWatch } from "./layerContractWatch.ts"
import * as LoginAttempts from "./LoginAttempts.ts"
import * as MemoryDatabase from "./MemoryDatabase.ts"
import * as PartnerRepository from "./PartnerRepository.ts"
import * as PartnerTree from "./PartnerTree.ts"
import * as PasswordHasher from "./PasswordHasher.ts"
import * as PersonalDataHasher from "./PersonalDataHasher.ts"
import * as PrincipalRepository from "./PrincipalRepository.ts"
import * as ProposalRepository from "./ProposalRepository.ts"
import * as RefreshTokenRepository from "./RefreshTokenRepository.ts"
import * as SecretGenerator from "./SecretGenerator.ts"
import * as SigningKeyRepository from "./SigningKeyRepository.ts"
import * as TokenSigner from "./TokenSigner.ts"
import * as UnitOfWork from "./UnitOfWork.ts"
import * as UserRepository from "./UserRepository.ts"

const repositories = Layer.mergeAll(
  ApiClientRepository.layer,
  ApplicationRepository.layer,
  AuditLog.layer,
  AuditLog.layerInspector,
  IdempotencyStore.layer,
  Installation.layer,
  KycSuggestions.layer,
  LoginAttempts.layer,
  PartnerRepository.layer,
  PartnerTree.layer,
  PersonalDataHasher.layer,
  PrincipalRepository.layer,
  ProposalRepository.layer,
  RefreshTokenRepository.layer,
  SigningKeyRepository.layer,
  UnitOfWork.layer,
  UserRepository.layer
)

const generators = Layer.mergeAll(IdGenerator.layer, PasswordHasher.layer, SecretGenerator.layer, TokenSigner.layer)

/** What is kept, over one empty {@link MemoryDatabase.MemoryDatabase}. */
export const layerMemoryStorage = Layer.provideMerge(repositories, MemoryDatabase.layer)

const stored = Layer.merge(layerMemoryStorage, generators)

/** Every fact is recorded on this one node, which wakes who waits for it: there is nothing to look for at times. */
const ports = Layer.provideMerge(layerStatusWatch({ tick: "Infinity" }), stored)

/**
 * Every port of the domain but the lender in memory, over one empty {@link MemoryDatabase.MemoryDatabase} that can be inspected.
 * What was promised runs in fibers of its own as soon as its transaction has committed, and contracts are looked at when they
 * are due.
 */
export const layerMemoryNoLender = Layer.provideMerge(Layer.merge(DurableWork.layer, layerContractWatch), ports)

/** Every port of the domain in memory, with a lender that can be scripted. */
export const layerMemory = Layer.provideMerge(layerMemoryNoLender, layerScriptedLender)

/** The same, but nothing happens by itself: PendingWork does what was promised when it is told to, and nobody looks at contracts. */
export const layerMemoryByHand = Layer.provideMerge(DurableWork.layerByHand, ports).pipe(
  Layer.provideMerge(layerScriptedLender)
)
