import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { foldCounts } from "../../src/index.ts"

/** Everything that is stored, in every table there is, as one text. */
export const stored = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<{ readonly name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' order by tablename`
  const contents = yield* Effect.forEach(tables, ({ name }) =>
    sql.unsafe<{ readonly content: string | null }>(
      `select string_agg(x::text, ',' order by x::text) as content from ${name} x`
    ))
  return JSON.stringify(contents.map(([row], index) => [tables[index]?.name, row?.content]))
})

/** Waits until every count is folded: nothing is left for the background to do. */
export const settled: Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient> = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* foldCounts
  const pending = yield* sql`select id from subtree_count_delta limit 1`
  if (pending.length > 0) yield* settled
})
