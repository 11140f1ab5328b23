import { Effect } from "effect"
import { migratedDatabase } from "../../../../packages/adapters-sql/test/postgres.ts"
import { emptyFolder } from "./emptyFolder.ts"
import { onPostgres } from "./serving.ts"

/** The settings of a new database, by its kind: an empty folder for PGlite, and a migrated PostgreSQL database without rows. */
export const databases = {
  PGlite: Effect.map(emptyFolder, (folder) => ({ LASTRO_DATA_DIR: folder, LASTRO_DEMO: "off" })),
  PostgreSQL: Effect.map(migratedDatabase, onPostgres)
}
