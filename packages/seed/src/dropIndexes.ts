import { Effect } from "effect"
import { type SqlClient } from "effect/sql"

/**
 * Drops the indexes, unique constraints and foreign keys of tables, but not their primary keys. Returns the statements that restore
 * them: that is faster once than for each row.
 */
export const dropIndexes = Effect.fn("dropIndexes")(function*(sql: SqlClient.SqlClient, tables: ReadonlyArray<string>) {
  const definitions = yield* sql<{ readonly drop: string; readonly restore: string }>`
    select * from (
      select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
        format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as restore,
        contype::text as kind, oid
      from pg_constraint where conrelid = any(${tables}::text[]::regclass[]) and contype in ('f', 'u')
      union all
      select format('drop index %s', indexrelid::regclass), pg_get_indexdef(indexrelid), 'z', indexrelid
      from pg_index
      where indrelid = any(${tables}::text[]::regclass[]) and not indisprimary
        and not exists (select from pg_constraint where conindid = indexrelid)
    ) definition
    order by kind, oid`
  for (const { drop } of definitions) yield* sql.unsafe(drop).unprepared
  return definitions.map(({ restore }) => restore).toReversed()
})
