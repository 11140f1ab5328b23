import { Effect, Schedule } from "effect"
import { type SqlClient } from "effect/sql"

const tables = ["partner", "partner_closure", "app_user", "subtree_count"]

/**
 * Gathers statistics and marks pages as visible to everybody, as a database that has run for a while has them. A page
 * stays unmarked while an older transaction (the server's own gathering of statistics, say) is open, so it is tried for
 * ten seconds.
 */
export const settle = Effect.fn("settle")(function*(sql: SqlClient.SqlClient) {
  for (const table of tables) yield* sql.unsafe(`vacuum analyze ${table}`).unprepared
  const unsettled = Effect.gen(function*() {
    const rows = yield* sql<{ readonly name: string }>`
      select relname as name from pg_class where ${sql.in("relname", tables)} and relallvisible < relpages`
    for (const { name } of rows) yield* sql.unsafe(`vacuum ${name}`).unprepared
    return rows.length
  })
  yield* Effect.repeat(unsettled, { until: (count) => count === 0, schedule: Schedule.spaced("500 millis"), times: 20 })
})
