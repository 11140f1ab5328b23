import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isMissing, neededJobs } from "./neededJobs.ts"

/** Maximum number of jobs that one statement starts. */
const maxJobs = 1_000

/**
 * Starts the job of each unfinished application that has none (rule JOB-02). Returns the number of started jobs.
 *
 * The transaction that makes an application unfinished also starts its job, so normally no job is missing. A job can be
 * missing after an upgrade from a version with another job table, or after a manual repair. It is safe to run any job
 * again.
 */
export const startMissingJobs = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const started = yield* sql`
    insert into job (kind, id)
    select needed.kind, needed.id from (${sql.literal(neededJobs)}) needed where ${sql.literal(isMissing)}
    order by needed.kind, needed.id
    limit ${maxJobs}
    on conflict (kind, id) do nothing
    returning id`
  return started.length
}).pipe(Effect.withSpan("startMissingJobs"))
