import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Adds the column `runs_jobs` to the list of nodes: true if the process runs jobs. It is null for a process of an earlier
 * version of Lastro. The id of such a process is a UUID of version 8 if it only starts jobs.
 */
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table node add column runs_jobs boolean`
})
