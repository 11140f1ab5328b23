export { checkHierarchy, checkInvariants, checkLawfulness, checkWork } from "./checks/checkInvariants.ts"
export { checkLiveness, type RaisedAlarm, readAlarms, readWorkStatus, type WorkStatus } from "./checks/checkLiveness.ts"
export { type Finding } from "./checks/Finding.ts"
export { type ApplicationInspection, inspectApplication } from "./checks/inspectApplication.ts"
export { type Repair } from "./checks/Repair.ts"
export { repairInvariants } from "./checks/repairInvariants.ts"
export { CheckProgress } from "./checks/snapshots.ts"
export { clientOfPostgresJs, type PostgresJsTransaction } from "./database/client/clientOfPostgresJs.ts"
export { clientsOfPool, type ObservablePool, type PoolClients } from "./database/client/clientsOfPool.ts"
export {
  ConnectionFailed,
  connectionFailureOf,
  type ConnectionProblem
} from "./database/connection/ConnectionFailed.ts"
export { InvalidDatabaseUrl, validateDatabaseUrl } from "./database/connection/databaseUrl.ts"
export { databaseUrlOf, InvalidDatabaseVariable } from "./database/connection/databaseUrlOf.ts"
export { InvalidSchemaName, validateSchemaName } from "./database/connection/schemaName.ts"
export { ApplicationUnreadable } from "./origination/applicationRow.ts"
/** The PostgreSQL client that all repositories of this package use. */
export * as PgDatabase from "./database/PgDatabase.ts"
export { FolderExposed } from "./database/pglite/FolderExposed.ts"
export { FolderInUse } from "./database/pglite/FolderLock.ts"
export { FolderUnusable } from "./database/pglite/PgliteFolder.ts"
/** PostgreSQL embedded in this process, with its data in a folder or in memory. */
export * as PgliteDatabase from "./database/PgliteDatabase.ts"
export { foldAuditCounts } from "./hierarchy/foldAuditCounts.ts"
export { foldCounts } from "./hierarchy/foldCounts.ts"
/** Adds pending changes to the stored counts of subtrees and of audit entries, in the background. */
export * as CountFolder from "./jobs/CountFolder.ts"
export { type NamedLoad, readTenantLoads } from "./jobs/nodeLoad.ts"
export { layerStartOnly, type WorkOptions, WorkRunner } from "./jobs/WorkRunner.ts"
export { layer, layerPglite, layerPostgres, type StartOptions } from "./layer.ts"
export * from "./layerNode.ts"
export { grantToNodes } from "./migrations/grantToNodes.ts"
export { migrate, type MigrateOptions, migrateWith, refuseNewerSchema } from "./migrations/migrate.ts"
export { readNodesBelow } from "./migrations/olderNodes.ts"
export { OlderNodesRunning, SchemaBusy, SchemaTooNew, SchemaUnusable } from "./migrations/schemaErrors.ts"
export { readRoots } from "./partner/PartnerRepository.ts"
