export { checkHierarchy, checkInvariants, checkWork, type Finding } from "./checks/checkInvariants.ts"
/** Folding counted changes in the background. */
export { DatabaseUrlRefused, judgeDatabaseUrl } from "./database/judgeDatabaseUrl.ts"
export * as CountFolder from "./hierarchy/CountFolder.ts"
export { foldCounts } from "./hierarchy/foldCounts.ts"
export { layer, layerPglite, layerPostgres, type StartOptions } from "./layer.ts"
export * from "./layerNode.ts"
export { migrate } from "./migrations/migrate.ts"
/** PostgreSQL, as every repository of this package reaches it. */
export * as PgDatabase from "./database/PgDatabase.ts"
export { FolderInUse } from "./database/pglite/FolderLock.ts"
/** PostgreSQL embedded in this process, in a folder or in memory. */
export * as PgliteDatabase from "./database/PgliteDatabase.ts"
export { layerStartOnly, type WorkOptions, WorkRunner } from "./work/WorkRunner.ts"
