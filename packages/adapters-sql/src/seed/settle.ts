import { Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { type OnProgress, untold } from "./Progress.ts"

const tables = [
  "partner",
  "subtree_region",
  "subtree_partner",
  "app_user",
  "subtree_count",
  "application",
  "quote",
  "proposal"
]

/**
 * Gathers statistics of what was seeded and marks pages as visible to everybody, as a database that has run for a while has them.
 * Without it everything is there, and slow until the server's own housekeeping has done the same. A page stays unmarked while
 * an older transaction (that housekeeping, say) is open, so it is tried for ten seconds.
 */
export const settle = Effect.fn("settle")((onProgress: OnProgress = untold) =>
  Effect.scoped(Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const connection = yield* sql.reserve
    const run = (statement: string) => connection.executeUnprepared(statement, [], undefined)
    yield* Effect.acquireRelease(run("set statement_timeout = 0"), () => Effect.ignore(run("reset statement_timeout")))
    let done = 0
    for (const table of tables) {
      yield* onProgress({ step: "statistics", done: done++, total: tables.length })
      yield* run(`vacuum (analyze) ${table}`)
    }
    yield* onProgress({ step: "statistics", done, total: tables.length })
    const unsettled = Effect.gen(function*() {
      const rows = yield* sql<{ readonly name: string }>`
        select relname as name from pg_class where ${sql.in("relname", tables)} and relallvisible < relpages`
      for (const { name } of rows) yield* run(`vacuum ${name}`)
      return rows.length
    })
    yield* Effect.repeat(unsettled, {
      until: (count) => count === 0,
      schedule: Schedule.spaced("500 millis"),
      times: 20
    })
  }))
)
