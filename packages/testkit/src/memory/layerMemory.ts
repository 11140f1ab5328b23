import { replacePorts } from "@lastro/domain/adapters"
import { layerDomainCopy } from "@lastro/domain/hierarchy"
import { type JobPorts } from "@lastro/domain/jobs"
import { Lender } from "@lastro/domain/lender"
import { Layer } from "effect"
import { layerScriptedLender } from "../lender/layerScriptedLender.ts"
import * as ApiClientRepository from "./ApiClientRepository.ts"
import * as ApplicationRepository from "./ApplicationRepository.ts"
import * as AuditLog from "./AuditLog.ts"
import * as AuditTrail from "./AuditTrail.ts"
import * as DocumentSource from "./DocumentSource.ts"
import * as DurableWork from "./DurableWork.ts"
import { layerIdGenerator, layerSecretGenerator } from "./generators.ts"
import { layerCommonPasswords, layerPasswordHasher, layerPersonalDataHasher } from "./hashers.ts"
import * as HostTransactions from "./HostTransactions.ts"
import * as IdempotencyStore from "./IdempotencyStore.ts"
import * as KycSuggestions from "./KycSuggestions.ts"
import * as LenderThrottle from "./LenderThrottle.ts"
import * as LoginAttempts from "./LoginAttempts.ts"
import * as MemoryDatabase from "./MemoryDatabase.ts"
import * as PartnerRepository from "./PartnerRepository.ts"
import * as PartnerTree from "./PartnerTree.ts"
import { type PendingWork } from "./PendingWork.ts"
import * as PersonalDataStore from "./PersonalDataStore.ts"
import * as PrincipalRepository from "./PrincipalRepository.ts"
import * as ProposalRepository from "./ProposalRepository.ts"
import * as RefreshTokenRepository from "./RefreshTokenRepository.ts"
import * as SigningKeyRepository from "./SigningKeyRepository.ts"
import * as StoredJobs from "./StoredJobs.ts"
import * as TokenSigner from "./TokenSigner.ts"
import * as UserRepository from "./UserRepository.ts"

const repositories = Layer.mergeAll(
  layerDomainCopy("@lastro/testkit"),
  ApiClientRepository.layer,
  ApplicationRepository.layer,
  AuditLog.layer,
  AuditLog.layerInspector,
  AuditTrail.layer,
  HostTransactions.layer,
  IdempotencyStore.layer,
  MemoryDatabase.layerInstallation,
  KycSuggestions.layer,
  LenderThrottle.layer,
  LoginAttempts.layer,
  PartnerRepository.layer,
  PartnerTree.layer,
  layerPersonalDataHasher,
  PersonalDataStore.layer,
  PrincipalRepository.layer,
  ProposalRepository.layer,
  RefreshTokenRepository.layer,
  SigningKeyRepository.layer,
  StoredJobs.layer,
  MemoryDatabase.layerUnitOfWork,
  UserRepository.layer
)

const generators = Layer.mergeAll(
  layerCommonPasswords,
  layerIdGenerator,
  layerPasswordHasher,
  layerSecretGenerator,
  TokenSigner.layer
)

/** Provides all storage ports over one empty {@link MemoryDatabase.MemoryDatabase}. Jobs are only stored and never run. */
export const layerMemoryStorage = Layer.provideMerge(
  Layer.merge(repositories, DurableWork.layerStart),
  MemoryDatabase.layer
)

const stored = Layer.mergeAll(layerMemoryStorage, generators, DocumentSource.layer)

/**
 * All changes happen in this process, and each change wakes the waiting requests. The status watch therefore never
 * polls the database.
 */
export const memoryWatch = { tick: "Infinity" } as const

/**
 * Provides the ports to the layer that runs jobs. The type of `ports` is not generic, because TypeScript cannot infer
 * from a generic type that no port of the jobs is missing.
 */
export const provideJobs = <E, R>(
  jobs: typeof DurableWork.layerOnCommit,
  ports: Layer.Layer<JobPorts | MemoryDatabase.MemoryDatabase, E, R>
): Layer.Layer<PendingWork, E, R> => Layer.provide(jobs, ports)

const layerLender = Layer.effect(Lender, Lender)

/**
 * Provides every port of the domain over one empty {@link MemoryDatabase.MemoryDatabase}. `replacements` replaces some of them, for the use
 * cases, the durable jobs and the long polls, and can use the original ports. Requires a lender, which it also provides. Jobs run when
 * their transaction commits, each in its own fiber.
 */
export const layerMemoryWith = <P, E, R>(replacements: Layer.Layer<P, E, R>) => {
  const ports = replacePorts(Layer.merge(stored, layerLender), replacements, memoryWatch)
  return Layer.merge(provideJobs(DurableWork.layerOnCommit, ports), ports)
}

const ports = replacePorts(stored, Layer.empty, memoryWatch)

/**
 * Provides every port of the domain except the lender, over one empty {@link MemoryDatabase.MemoryDatabase} that tests
 * can inspect. Jobs run when their transaction commits, each in its own fiber. Contracts are polled when they are due.
 */
export const layerMemoryNoLender = Layer.provideMerge(DurableWork.layerOnCommit, ports)

/** Provides every port of the domain, with a scripted lender. */
export const layerMemory = Layer.provideMerge(layerMemoryNoLender, layerScriptedLender)

/** Provides every port of the domain except the lender. Jobs run, and contracts are polled, only through `PendingWork`. */
export const layerMemoryByHandNoLender = Layer.provideMerge(DurableWork.layerByHand, ports)

/**
 * Provides every port of the domain, with a scripted lender. Jobs run, and contracts are polled, only through
 * `PendingWork`.
 */
export const layerMemoryByHand = Layer.provideMerge(layerMemoryByHandNoLender, layerScriptedLender)
