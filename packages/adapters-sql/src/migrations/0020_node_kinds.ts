import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Adds whether a process in the list of nodes runs jobs. Null for a process of an earlier version, which shows it by
 * the version of its id: 8 for a process that only starts jobs.
 */
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table node add column runs_jobs boolean`
})
