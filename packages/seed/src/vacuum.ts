import { Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { type OnProgress } from "./seed.ts"

const tables = "partner subtree_region subtree_partner app_user subtree_count application quote proposal".split(" ")

/**
 * Gathers statistics of the seeded tables and marks their pages as all-visible. Queries are slow before that. Pages stay unmarked
 * while an older transaction is open, so this retries for ten seconds.
 */
export const vacuum = Effect.fn("vacuum")((onProgress: OnProgress = () => Effect.void) =>
  Effect.scoped(Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const connection = yield* sql.reserve
    const run = (statement: string) => connection.executeUnprepared(statement, [], undefined)
    yield* Effect.acquireRelease(run("set statement_timeout = 0"), () => Effect.ignore(run("reset statement_timeout")))
    for (const [done, table] of tables.entries()) {
      yield* onProgress({ step: "statistics", done, total: tables.length })
      yield* run(`vacuum (analyze) ${table}`)
    }
    yield* onProgress({ step: "statistics", done: tables.length, total: tables.length })
    const vacuumUnmarked = Effect.gen(function*() {
      const rows = yield* sql<{ readonly name: string }>`
        select relname as name from pg_class where ${sql.in("relname", tables)} and relallvisible < relpages`
      for (const { name } of rows) yield* run(`vacuum ${name}`)
      return rows.length
    })
    yield* Effect.repeat(vacuumUnmarked, {
      until: (count) => count === 0,
      schedule: Schedule.spaced("500 millis"),
      times: 20
    })
  }))
)
