import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { foldAuditCounts, foldCounts } from "../../src/index.ts"
import { foldPlaces } from "../../src/origination/foldPlaces.ts"

/** Reads every row of every table as one text, without the table `node`, which a node updates every two seconds. */
export const readAllRows = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<{ readonly name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'node' order by tablename`
  const parts = tables.map(({ name }) =>
    `select '${name}' as name, string_agg(x::text, ',' order by x::text) as content from ${name} x`
  )
  return JSON.stringify(yield* sql.unsafe(parts.join(" union all ")))
})

/** Folds counts until no change is pending, so that the background fold changes nothing. */
export const foldAllCounts: Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient> = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* foldCounts
  yield* foldPlaces
  const audited = yield* foldAuditCounts
  const pending = yield* sql`
    (select id from subtree_count_delta limit 1) union all (select id from application_place_delta limit 1)`
  if (pending.length > 0 || audited > 0) yield* foldAllCounts
})
