import { Effect } from "effect"
import { freshDatabase } from "../../../../packages/adapters-sql/test/postgres.ts"
import { emptyFolder } from "./emptyFolder.ts"
import { onPostgres } from "./serving.ts"

/** Where a server can keep its data, a database with nothing in it: the settings that say so, by its name. */
export const databases = {
  PGlite: Effect.map(emptyFolder, (folder) => ({ LASTRO_DATA_DIR: folder, LASTRO_DEMO: "off" })),
  PostgreSQL: Effect.map(freshDatabase, onPostgres)
}
