import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { quoteName } from "../database/connection/schemaName.ts"

/**
 * Returns one effect per index, which creates the index unless it exists. Keys are the names of the indexes; values are
 * the rest of each `create index` statement. Creating an index blocks writes to its table, for about one second per
 * million rows.
 */
export const createIndexes = (indexes: Readonly<Record<string, string>>) =>
  Object.entries(indexes).map(([name, definition]) =>
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => Effect.asVoid(sql`create index if not exists ${sql(name)} ${sql.literal(definition)}`)
    )
  )

/**
 * Returns the SQL name of the operator class of trigram indexes, qualified with the schema of the extension `pg_trgm`.
 * That schema need not be in the `search_path`.
 */
export const trigramOps = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [extension] = yield* sql<{ readonly schema: string }>`
    select nspname::text as schema from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
    where extname = 'pg_trgm'`
  return sql.literal(extension === undefined ? "gin_trgm_ops" : `${quoteName(extension.schema)}.gin_trgm_ops`)
})
