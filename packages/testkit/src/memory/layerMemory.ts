import { replacePorts } from "@lastro/domain/adapters"
import { layerDomainCopy } from "@lastro/domain/hierarchy"
import { type JobPorts } from "@lastro/domain/jobs"
import { Lender } from "@lastro/domain/lender"
import { Layer } from "effect"
import { layerScriptedLender } from "../lender/layerScriptedLender.ts"
import { layerRecordingWebhookSender } from "../webhook/RecordingWebhookSender.ts"
import * as ApplicationRepository from "./ApplicationRepository.ts"
import { layerAuditInspector, layerAuditLog, layerAuditRetention, layerAuditTrail } from "./audit.ts"
import { layerCommissionLedger, layerCommissionPlans } from "./commission.ts"
import { layerCommissionSettlement } from "./commissionSettlement.ts"
import { layerCommissionStatements, layerHostContracts } from "./commissionStatements.ts"
import { layerDurableWork } from "./DurableWork.ts"
import { layerEventLog, layerSubscriptionStore } from "./event.ts"
import { layerCommonPasswords, layerCursorSeal, layerPasswordHasher, layerPersonalDataHasher } from "./hashers.ts"
import { layerIdempotencyInspector, layerIdempotencyStore } from "./idempotency.ts"
import * as identity from "./identity.ts"
import { layerByHand, layerOnCommit, layerOnCommitWith, type MemoryRunnerOptions } from "./jobs.ts"
import { layerDocumentSource, layerLenderThrottle, layerRoutingRepository } from "./lender.ts"
import * as MemoryDatabase from "./MemoryDatabase.ts"
import { layerKycSuggestions, layerProposalRepository } from "./origination.ts"
import { layerPartnerRepository, layerPartnerTree } from "./partner.ts"
import { type PendingWork } from "./PendingWork.ts"
import { layerHostTransactions, layerIdGenerator, layerSecretGenerator } from "./ports.ts"
import { layerPersonalDataStore } from "./privacy.ts"
import { layerStoredJobs } from "./StoredJobs.ts"
import { layerUserRepository } from "./user.ts"
import { layerWebhookRepository } from "./webhook.ts"
import { layerWebhookQueue } from "./webhookQueue.ts"

const repositories = Layer.mergeAll(
  layerDomainCopy("@lastro/testkit"),
  identity.layerApiClientRepository,
  ApplicationRepository.layer,
  layerAuditLog,
  layerAuditInspector,
  layerAuditRetention,
  layerAuditTrail,
  layerCommissionLedger,
  layerCommissionPlans,
  layerCommissionSettlement,
  layerCommissionStatements,
  layerCursorSeal,
  layerEventLog,
  layerHostContracts,
  layerHostTransactions,
  layerIdempotencyInspector,
  layerIdempotencyStore,
  MemoryDatabase.layerInstallation,
  layerKycSuggestions,
  layerLenderThrottle,
  identity.layerLoginAttempts,
  layerPartnerRepository,
  layerPartnerTree,
  layerPersonalDataHasher,
  layerPersonalDataStore,
  identity.layerPrincipalRepository,
  layerProposalRepository,
  identity.layerRefreshTokenRepository,
  layerRoutingRepository,
  identity.layerSigningKeyRepository,
  layerStoredJobs,
  layerSubscriptionStore,
  MemoryDatabase.layerUnitOfWork,
  layerUserRepository,
  layerWebhookQueue,
  layerWebhookRepository
)

const generators = Layer.mergeAll(
  layerCommonPasswords,
  layerIdGenerator,
  layerPasswordHasher,
  layerRecordingWebhookSender,
  layerSecretGenerator,
  identity.layerTokenSigner
)

/** Provides all storage ports over one empty {@link MemoryDatabase.MemoryDatabase}. Jobs are stored but never run. */
export const layerMemoryStorage = Layer.provideMerge(
  Layer.merge(repositories, layerDurableWork),
  MemoryDatabase.layer
)

const stored = Layer.mergeAll(layerMemoryStorage, generators, layerDocumentSource)

/** All changes happen in this process and end the waiting long polls, so the status watch need not poll. */
export const memoryWatch = { tick: "Infinity" } as const

/**
 * Provides the ports to the layer that runs jobs. The type of `ports` is concrete, because TypeScript cannot infer from
 * a generic type that all ports of the jobs are present.
 */
export const provideJobs = <E, R>(
  jobs: typeof layerOnCommit,
  ports: Layer.Layer<JobPorts | MemoryDatabase.MemoryDatabase, E, R>
): Layer.Layer<PendingWork, E, R> => Layer.provide(jobs, ports)

/** Provides the lender that it requires, so that replacements can use it. */
const layerLender = Layer.effect(Lender, Lender)

/**
 * Provides every port of the domain over one empty {@link MemoryDatabase.MemoryDatabase}. `replacements` replaces some
 * ports for the use cases, the durable jobs and the long polls, and can use the original ones. Requires a lender, which
 * it also provides. Jobs run when their transaction commits, each in a fiber of its own.
 */
export const layerMemoryWith = <P, E, R>(replacements: Layer.Layer<P, E, R>) => {
  const ports = replacePorts(Layer.merge(stored, layerLender), replacements, memoryWatch)
  return Layer.merge(provideJobs(layerOnCommit, ports), ports)
}

const ports = replacePorts(stored, Layer.empty, memoryWatch)

/**
 * Provides every port of the domain except the lender, over one empty {@link MemoryDatabase.MemoryDatabase} that tests
 * can inspect. Jobs run when their transaction commits, each in a fiber of its own. Contracts are polled when they are
 * due.
 */
export const layerMemoryNoLender = Layer.provideMerge(layerOnCommit, ports)

/** Provides every port of the domain, with a scripted lender. */
export const layerMemory = Layer.provideMerge(layerMemoryNoLender, layerScriptedLender)

/** Like {@link layerMemory}, with a maximum number of concurrent jobs of each kind. */
export const layerMemorySlots = (options: MemoryRunnerOptions) =>
  Layer.provideMerge(Layer.provideMerge(layerOnCommitWith(options), ports), layerScriptedLender)

/**
 * Provides every port of the domain except the lender. Jobs run, and contracts are polled, only through `PendingWork`.
 */
export const layerMemoryByHandNoLender = Layer.provideMerge(layerByHand, ports)

/**
 * Provides every port of the domain, with a scripted lender. Jobs run, and contracts are polled, only through
 * `PendingWork`.
 */
export const layerMemoryByHand = Layer.provideMerge(layerMemoryByHandNoLender, layerScriptedLender)
