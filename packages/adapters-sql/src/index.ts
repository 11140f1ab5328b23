export { checkHierarchy, checkInvariants, checkWork, type Finding } from "./Checks.ts"
/** Folding counted changes in the background. */
export * as CountFolder from "./CountFolder.ts"
export { foldCounts } from "./foldCounts.ts"
export { DatabaseUrlRefused, judgeDatabaseUrl } from "./judgeDatabaseUrl.ts"
export { layer, layerPglite, layerPostgres, type StartOptions } from "./layer.ts"
export * from "./layerNode.ts"
export { migrate } from "./migrate.ts"
/** PostgreSQL, as every repository of this package reaches it. */
export * as PgDatabase from "./PgDatabase.ts"
export { FolderInUse } from "./pglite/FolderLock.ts"
/** PostgreSQL embedded in this process, in a folder or in memory. */
export * as PgliteDatabase from "./PgliteDatabase.ts"
export { layerStartOnly, type WorkOptions, WorkRunner } from "./workflow/WorkRunner.ts"
