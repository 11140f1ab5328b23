import { layerDomainCopy } from "@lastro/domain/hierarchy"
import { Effect, Layer } from "effect"
import * as AuditLog from "./audit/AuditLog.ts"
import * as AuditRetention from "./audit/AuditRetention.ts"
import * as AuditTrail from "./audit/AuditTrail.ts"
import * as PersonalDataHasher from "./audit/PersonalDataHasher.ts"
import * as CommissionLedger from "./commission/CommissionLedger.ts"
import * as CommissionPlans from "./commission/CommissionPlans.ts"
import * as CommissionSettlement from "./commission/CommissionSettlement.ts"
import * as CommissionStatements from "./commission/CommissionStatements.ts"
import * as HostContracts from "./commission/HostContracts.ts"
import * as HostTransactions from "./database/HostTransactions.ts"
import * as Installation from "./database/Installation.ts"
import * as PgDatabase from "./database/PgDatabase.ts"
import * as PgliteDatabase from "./database/PgliteDatabase.ts"
import * as UnitOfWork from "./database/UnitOfWork.ts"
import { layerWithoutTransforms } from "./database/withoutTransforms.ts"
import * as EventLog from "./event/EventLog.ts"
import * as SubscriptionStore from "./event/SubscriptionStore.ts"
import * as PartnerTree from "./hierarchy/PartnerTree.ts"
import * as IdempotencyStore from "./idempotency/IdempotencyStore.ts"
import * as ApiClientRepository from "./identity/ApiClientRepository.ts"
import * as LoginAttempts from "./identity/LoginAttempts.ts"
import * as PrincipalRepository from "./identity/PrincipalRepository.ts"
import * as RefreshTokenRepository from "./identity/RefreshTokenRepository.ts"
import * as SigningKeyRepository from "./identity/SigningKeyRepository.ts"
import * as CountFolder from "./jobs/CountFolder.ts"
import * as StoredJobs from "./jobs/StoredJobs.ts"
import * as LenderThrottle from "./lender/LenderThrottle.ts"
import * as RoutingRepository from "./lender/RoutingRepository.ts"
import { migrate, migrateWith, requireUsableSchema } from "./migrations/migrate.ts"
import * as ApplicationRepository from "./origination/ApplicationRepository.ts"
import * as KycSuggestions from "./origination/KycSuggestions.ts"
import * as ProposalRepository from "./origination/ProposalRepository.ts"
import * as CursorSeal from "./paging/CursorSeal.ts"
import * as PartnerRepository from "./partner/PartnerRepository.ts"
import * as PersonalDataStore from "./privacy/PersonalDataStore.ts"
import * as UserRepository from "./user/UserRepository.ts"
import * as WebhookQueue from "./webhook/WebhookQueue.ts"
import * as WebhookRepository from "./webhook/WebhookRepository.ts"

/**
 * Implements all ports of the domain that need a database. The database must be migrated. The SQL client may rename
 * columns, because this layer disables renaming for its own statements.
 */
export const layer = Layer.mergeAll(
  layerDomainCopy("@lastro/adapters-sql"),
  ApiClientRepository.layer,
  ApplicationRepository.layer,
  AuditLog.layer,
  AuditRetention.layer,
  AuditTrail.layer,
  CommissionLedger.layer,
  CommissionPlans.layer,
  CommissionSettlement.layer,
  CommissionStatements.layer,
  HostContracts.layer,
  CursorSeal.layer,
  EventLog.layer,
  HostTransactions.layer,
  IdempotencyStore.layer,
  Installation.layer,
  KycSuggestions.layer,
  LenderThrottle.layer,
  LoginAttempts.layer,
  PartnerRepository.layer,
  PartnerTree.layer,
  PersonalDataHasher.layer,
  PersonalDataStore.layer,
  PrincipalRepository.layer,
  ProposalRepository.layer,
  RefreshTokenRepository.layer,
  RoutingRepository.layer,
  SigningKeyRepository.layer,
  StoredJobs.layer,
  SubscriptionStore.layer,
  UnitOfWork.layer,
  UserRepository.layer,
  WebhookQueue.layer,
  WebhookRepository.layer
).pipe(Layer.provide(layerWithoutTransforms))

/** Options of the start: the migration, and the background job that adds pending changes to the stored counts. */
export interface StartOptions extends CountFolder.CountFolderOptions {
  /**
   * If true, migrates the schema first. If false, changes nothing. Default: true.
   *
   * In both cases, fails with `SchemaUnusable` if a table, the extension `pg_trgm` or a privilege is missing, or if the
   * schema or the server is too old. A new installation also fails with it if the encoding of the database lacks
   * characters. The message states the remedy. Fails with `SchemaTooNew` if the schema is newer than this version and not
   * compatible with it.
   */
  readonly migrate?: boolean | undefined
}

/** Migrates, then provides the ports, and runs the background job that adds pending changes to the stored counts. */
const layerMigrated = (options: StartOptions, migrating: typeof migrate) => {
  const migration = Layer.effectDiscard(
    options.migrate === false ? requireUsableSchema : Effect.andThen(migrating, requireUsableSchema)
  )
  return Layer.merge(layer, CountFolder.layer(options)).pipe(Layer.provide(migration))
}

/** Provides all database ports on PostgreSQL, and the SQL client. Migrates the schema first. */
export const layerPostgres = (options: PgDatabase.PgOptions & StartOptions) =>
  Layer.provideMerge(layerMigrated(options, migrate), PgDatabase.layer(options))

/**
 * Migrates even if the list of nodes shows running nodes. Only this process can open an embedded database, so those
 * nodes have crashed.
 */
const migrateAlone = migrateWith({ stopTheWorld: true })

/** Provides all database ports on an embedded PGlite, and the SQL client. Migrates the schema first. */
export const layerPglite = (options: PgliteDatabase.PgliteOptions & StartOptions) =>
  Layer.provideMerge(layerMigrated(options, migrateAlone), PgliteDatabase.layer(options))
