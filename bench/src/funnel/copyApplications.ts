import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Inserts `copies` copies of each application, with earlier times and without quotes and proposals. Drops the indexes
 * first and rebuilds them at the end.
 */
export const copyApplications = Effect.fn("copyApplications")(function*(copies: number) {
  if (copies === 0) return
  const sql = yield* SqlClient.SqlClient
  yield* sql.withTransaction(Effect.gen(function*() {
    yield* sql`select set_config('statement_timeout', '0', true), set_config('maintenance_work_mem', '256MB', true)`
    const indexes = yield* sql<{ readonly name: string; readonly definition: string }>`
      select indexname as name, indexdef as definition from pg_indexes
      where tablename = 'application' and indexname <> 'application_pkey'`
    for (const { name } of indexes) yield* sql`drop index ${sql(name)}`
    const columns = yield* sql<{ readonly name: string }>`
      select column_name as name from information_schema.columns
      where table_name = 'application' and column_name not in ('id', 'created_at', 'updated_at')`
    const others = sql.literal(columns.map(({ name }) => name).join(", "))
    yield* sql`
      insert into application (id, created_at, updated_at, ${others})
      select gen_random_uuid(), created_at - moved, updated_at - moved, ${others}
      from application cross join generate_series(1, ${copies}::int) n
        cross join lateral (select (n * 37 % 400) * interval '1 day' + random() * interval '1 hour' as moved) times`
      .unprepared
    for (const { definition } of indexes) yield* sql.unsafe(definition).unprepared
    const counts = yield* sql<{ readonly name: string }>`
      select column_name as name from information_schema.columns
      where table_name = 'subtree_count' and column_name like 'applications%'`
    yield* sql.unsafe(
      `update subtree_count set ${counts.map(({ name }) => `${name} = ${name} * ${copies + 1}`).join(", ")}`
    ).unprepared
  }))
})
