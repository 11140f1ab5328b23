import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { quoteName } from "../database/connection/schemaName.ts"

/**
 * Returns the operator class of the trigram indexes as SQL. It is qualified with the schema of the extension `pg_trgm`,
 * which need not be in the `search_path`.
 */
export const trigramOps = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [extension] = yield* sql<{ readonly schema: string }>`
    select nspname::text as schema from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
    where extname = 'pg_trgm'`
  return sql.literal(extension === undefined ? "gin_trgm_ops" : `${quoteName(extension.schema)}.gin_trgm_ops`)
})
