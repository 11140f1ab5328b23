import { Effect } from "effect"
import { Migrator, SqlClient } from "effect/sql"
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
import metadata from "./0016_metadata.ts"

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
  "0016_metadata": metadata
} as const

const run = Migrator.make({})({ loader: Migrator.fromRecord(migrations), table: "lastro_migration" })

/**
 * Migrates the schema to the version of this package in one transaction. Returns the migrations that ran. Nodes that start concurrently migrate one after another and wait
 * without a timeout.
 */
export const migrate = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  return yield* sql.withTransaction(Effect.gen(function*() {
    yield* sql`select set_config('lock_timeout', '0', true), set_config('statement_timeout', '0', true)`
    yield* sql`select pg_advisory_xact_lock(hashtextextended('lastro.migrate', 0))`
    return yield* run
  }))
}).pipe(Effect.withSpan("migrate"))
