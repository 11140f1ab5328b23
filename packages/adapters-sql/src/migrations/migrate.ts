import { Effect } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import { migrateEngine } from "../work/migrateEngine.ts"
import { migrations } from "./all.ts"

const run = Migrator.make({})({ loader: Migrator.fromRecord(migrations), table: "lastro_migration" })

/**
 * Brings the schema up to date, the workflow engine's tables first, and tells which of our migrations it ran, all of them or none.
 * Nodes that start at once do it one after the other, however long one takes.
 */
export const migrate = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  return yield* sql.withTransaction(Effect.gen(function*() {
    yield* sql`select set_config('lock_timeout', '0', true), set_config('statement_timeout', '0', true)`
    yield* sql`select pg_advisory_xact_lock(hashtextextended('lastro.migrate', 0))`
    yield* migrateEngine
    return yield* run
  }))
}).pipe(Effect.withSpan("migrate"))
