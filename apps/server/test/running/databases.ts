import { Effect } from "effect"
import { migratedDatabase } from "../../../../packages/adapters-sql/test/postgres.ts"
import { emptyFolder } from "./emptyFolder.ts"
import { onPostgres } from "./serving.ts"

/** The settings of a database without data, by the kind of the database. */
export const databases = {
  PGlite: Effect.map(emptyFolder, (folder) => ({ LASTRO_DATA_DIR: folder, LASTRO_DEMO: "off" })),
  PostgreSQL: Effect.map(migratedDatabase, onPostgres)
}
