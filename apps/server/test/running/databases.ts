import { Effect } from "effect"
import { writeMigrated } from "../../../../packages/adapters-sql/test/migratedCache.ts"
import { migratedDatabase } from "../../../../packages/adapters-sql/test/postgres.ts"
import { execute } from "./execute.ts"
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
  Effect.asVoid(Effect.orDie(execute(database, statements)))
