import { Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { type OnProgress } from "./seed.ts"

/**
 * Drops the indexes, unique constraints and foreign keys of tables, but keeps their primary keys. Returns the
 * statements that restore them. Building an index once is faster than updating it for each inserted row.
 */
export const dropIndexes = Effect.fn("dropIndexes")(function*(sql: SqlClient.SqlClient, tables: ReadonlyArray<string>) {
  const definitions = yield* sql<{ readonly drop: string; readonly restore: string }>`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as restore,
      contype::text as kind, oid
    from pg_constraint where conrelid = any(${tables}::text[]::regclass[]) and contype in ('f', 'u')
    union all
    select format('drop index %s', indexrelid::regclass), pg_get_indexdef(indexrelid), 'z', indexrelid
    from pg_index
    where indrelid = any(${tables}::text[]::regclass[]) and not indisprimary
      and not exists (select from pg_constraint where conindid = indexrelid)
    order by kind, oid`
  for (const { drop } of definitions) yield* sql.unsafe(drop).unprepared
  return definitions.map(({ restore }) => restore).toReversed()
})

const tables = ("partner subtree_region subtree_partner app_user subtree_count application quote proposal " +
  "commission_plan commission_entry commission_visible commission_sum commission_closing commission_payout").split(" ")

/**
 * Gathers statistics of the seeded tables, and marks their pages as all-visible, because queries are slow without this.
 * An older open transaction can prevent the marking, so the marking is retried for ten seconds.
 */
export const vacuum = Effect.fn("vacuum")((onProgress?: OnProgress) =>
  Effect.scoped(Effect.gen(function*() {
    const report = (done: number) => onProgress?.({ step: "statistics", done, total: tables.length }) ?? Effect.void
    const sql = yield* SqlClient.SqlClient
    const connection = yield* sql.reserve
    const run = (statement: string) => connection.executeUnprepared(statement, [], undefined)
    yield* Effect.acquireRelease(run("set statement_timeout = 0"), () => Effect.ignore(run("reset statement_timeout")))
    for (const [done, table] of tables.entries()) {
      yield* report(done)
      yield* run(`vacuum (analyze) ${table}`)
    }
    yield* report(tables.length)
    const vacuumUnmarked = sql<{ readonly name: string }>`
    select relname as name from pg_class
    where oid = any(${tables}::text[]::regclass[]) and relallvisible < relpages`.pipe(
      Effect.tap((rows) => Effect.forEach(rows, ({ name }) => run(`vacuum ${name}`)))
    )
    const retries = { schedule: Schedule.spaced("500 millis"), times: 20 }
    yield* Effect.repeat(vacuumUnmarked, { until: ({ length }) => length === 0, ...retries })
  }))
)
