import { Effect } from "effect"
import { type SqlClient } from "effect/sql"
import { type SqlError } from "effect/sql/SqlError"
import { type SeededTable } from "./load.ts"
import { type OnProgress } from "./Progress.ts"

interface Definition {
  readonly name: string
  readonly table: string
  readonly definition: string
}

/** The statements that take something from a table and give it back. */
interface Removable {
  readonly drop: string
  readonly restore: string
}

const ofConstraint = ({ definition, name, table }: Definition): Removable => ({
  drop: `alter table ${table} drop constraint ${name}`,
  restore: `alter table ${table} add constraint ${name} ${definition}`
})

const ofIndex = ({ definition, name }: Definition): Removable => ({ drop: `drop index ${name}`, restore: definition })

/**
 * Takes from tables all indexes and constraints between rows but their primary keys, and answers what makes them again: that, over
 * everything at once, is faster than to keep them up row by row. Meant for one transaction.
 */
export const bareTables = Effect.fn("bareTables")(function*(
  sql: SqlClient.SqlClient,
  tables: ReadonlyArray<SeededTable>
): Effect.fn.Return<(onProgress: OnProgress) => Effect.Effect<void, SqlError>, SqlError> {
  const constraints = yield* sql<Definition>`
    select quote_ident(conname) as name, conrelid::regclass::text as table, pg_get_constraintdef(oid) as definition
    from pg_constraint where conrelid = any(${tables}::text[]::regclass[]) and contype in ('f', 'u')
    order by contype, oid`
  const indexes = yield* sql<Definition>`
    select indexrelid::regclass::text as name, indrelid::regclass::text as table, pg_get_indexdef(indexrelid) as definition
    from pg_index
    where indrelid = any(${tables}::text[]::regclass[]) and not indisprimary
      and not exists (select from pg_constraint where conindid = indexrelid)
    order by indexrelid`
  const all = [...constraints.map(ofConstraint), ...indexes.map(ofIndex)]
  for (const { drop } of all) yield* sql.unsafe(drop).unprepared
  return (onProgress) =>
    Effect.gen(function*() {
      let done = 0
      for (const { restore } of all.toReversed()) {
        yield* onProgress({ step: "indexes", done: done++, total: all.length })
        yield* sql.unsafe(restore).unprepared
      }
      yield* onProgress({ step: "indexes", done, total: all.length })
    })
})
