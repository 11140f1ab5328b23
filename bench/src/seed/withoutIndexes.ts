import { Effect } from "effect"
import { type SqlClient } from "effect/sql"
import { type SqlError } from "effect/sql/SqlError"

/**
 * Fills a table while only its primary key is there, and makes its other indexes again afterwards, which is faster than
 * to keep them up row by row. Meant for a transaction.
 */
export const withoutIndexes = Effect.fn("withoutIndexes")(function*<A, E>(
  sql: SqlClient.SqlClient,
  table: "partner" | "app_user",
  fill: Effect.Effect<A, E>
): Effect.fn.Return<A, E | SqlError> {
  const indexes = yield* sql<{ readonly name: string; readonly definition: string }>`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
    from pg_index where indrelid = ${table}::text::regclass and not indisprimary order by indexrelid`
  for (const { name } of indexes) yield* sql.unsafe(`drop index ${name}`)
  const filled = yield* fill
  for (const { definition } of indexes) yield* sql.unsafe(definition)
  return filled
})
