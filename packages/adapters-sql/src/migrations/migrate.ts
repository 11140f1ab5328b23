import { Effect } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import { withoutTransforms } from "../database/withoutTransforms.ts"
import partners from "./0001_partners.ts"
import users from "./0002_users.ts"
import sessions from "./0003_sessions.ts"
import records from "./0004_records.ts"
import origination from "./0005_origination.ts"
import durableWork from "./0006_durable_work.ts"
import regions from "./0007_regions.ts"
import jobs from "./0008_jobs.ts"
import repeats from "./0009_repeats.ts"
import lenderCalls from "./0010_lender_calls.ts"
import exits from "./0011_exits.ts"
import lenderRequirements from "./0012_lender_requirements.ts"
import funnel from "./0013_funnel.ts"
import earlyCallbacks from "./0014_early_callbacks.ts"
import metadata from "./0015_metadata.ts"
import privacy from "./0018_privacy.ts"
import { type InstallationPlace, openInstallationPlace } from "./installationPlace.ts"
import { preflight, remedyOf } from "./preflight.ts"
import { type SchemaUnusable } from "./SchemaUnusable.ts"

/**
 * Every migration by its id and name. Ids must be contiguous, because the migrator skips a lower id that is added
 * later.
 */
export const migrations = {
  "0001_partners": partners,
  "0002_users": users,
  "0003_sessions": sessions,
  "0004_records": records,
  "0005_origination": origination,
  "0006_durable_work": durableWork,
  "0007_regions": regions,
  "0008_jobs": jobs,
  "0009_repeats": repeats,
  "0010_lender_calls": lenderCalls,
  "0011_exits": exits,
  "0012_lender_requirements": lenderRequirements,
  "0013_funnel": funnel,
  "0014_early_callbacks": earlyCallbacks,
  "0015_metadata": metadata,
  "0018_privacy": privacy
} as const

const run = Migrator.make({})({ loader: Migrator.fromRecord(migrations), table: "lastro_migration" })

const latestId = Object.keys(migrations).length

/**
 * Returns the id of the last migration that ran in the schema. Undefined if there is no installation. `to_regclass` could remember that
 * there was no table before this transaction waited for the lock.
 */
const readVersion = Effect.fnUntraced(function*(sql: SqlClient.SqlClient, { oid }: InstallationPlace) {
  const tables = yield* sql`select from pg_class where relname = 'lastro_migration' and relnamespace = ${oid}::oid`
  if (tables.length === 0) return undefined
  const [version] = yield* sql<{ readonly id: number }>`
    select coalesce(max(migration_id), 0) as id from lastro_migration`
  return version?.id
})

/** Returns the error of the statement that a migration failed with. */
const causeOf = (error: Effect.Error<typeof run> | SchemaUnusable): unknown =>
  error._tag === "MigrationError" ? error.cause : error

/** Runs the pending migrations of one schema. Nodes of one installation run them one after another. */
const migrateSchema = Effect.fnUntraced(function*(sql: SqlClient.SqlClient, place: InstallationPlace) {
  yield* sql`select pg_advisory_xact_lock(hashtextextended('lastro.migrate', ${place.oid}::bigint))`
  const version = yield* readVersion(sql, place)
  if (version !== undefined && version >= latestId) return []
  yield* preflight(place, version !== undefined)
  return yield* run
})

/**
 * Migrates the schema to the version of this package in one transaction. Returns the migrations that ran. Nodes that start concurrently
 * migrate one after another and wait without a timeout. Fails with {@link SchemaUnusable}, before it changes anything, if the schema
 * contains other tables or the role lacks a privilege.
 *
 * The schema is that of an existing installation in the `search_path`, or else the first schema of the `search_path`. A missing schema is
 * created.
 */
export const migrate = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  return yield* sql.withTransaction(Effect.gen(function*() {
    yield* sql`select set_config('lock_timeout', '0', true), set_config('statement_timeout', '0', true)`
    const place = yield* openInstallationPlace
    return yield* Effect.catchIf(
      migrateSchema(sql, place),
      (error) => remedyOf(place, causeOf(error)) !== undefined,
      (error) => Effect.fail(remedyOf(place, causeOf(error)) ?? error)
    )
  }))
}).pipe(withoutTransforms, Effect.withSpan("migrate"))
