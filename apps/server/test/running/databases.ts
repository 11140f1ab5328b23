import { PgDatabase } from "@lastro/adapters-sql"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { writeMigrated } from "../../../../packages/adapters-sql/test/migratedCache.ts"
import { migratedDatabase } from "../../../../packages/adapters-sql/test/postgres.ts"
import { emptyFolder } from "./machine.ts"
import { onPostgres } from "./serving.ts"

/** The settings of a new database, by its kind: a migrated database without rows. */
export const databases = {
  PGlite: Effect.map(Effect.tap(emptyFolder, writeMigrated), (folder) => ({
    LASTRO_DATA_DIR: folder,
    LASTRO_DEMO: "off"
  })),
  PostgreSQL: Effect.map(migratedDatabase, onPostgres)
}

/** Runs statements directly in the database of a server, on one connection. */
export const administer = (database: string, ...statements: ReadonlyArray<string>): Effect.Effect<void> =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
  ).pipe(
    Effect.provide(PgDatabase.layer({ url: Redacted.make(database) }), { local: true }),
    Effect.orDie,
    Effect.asVoid
  )
