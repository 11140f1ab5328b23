import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Selects the kind and the id of each job that an unfinished application needs (rule JOB-02, `jobOf`): the job of its
 * contract, or the job of its pending quote if no offer is accepted. Also selects the job of each paid contract that is
 * watched for its settlement (PROP-17). During a rolling upgrade, a node of an earlier version can end such a job.
 */
export const neededJobs = `
  select 'quote' as kind, quote.id, application.root_id, application.partner_id
  from application join quote on quote.application_id = application.id and quote.outcome = 'PENDING'
  where application.unfinished and not exists (select from proposal where proposal.application_id = application.id)
  union all
  select 'contract', proposal.id, proposal.root_id, proposal.partner_id
  from application join proposal on proposal.application_id = application.id
  where application.unfinished
  union all
  select 'contract', id, root_id, partner_id from proposal where status = 'PAID' and watched_until > now()`

/** An SQL condition that is true if a row of {@link neededJobs} has no job. The alias of the row must be `needed`. */
export const isMissing = "not exists (select from job where job.kind = needed.kind and job.id = needed.id)"

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
    insert into job (kind, id, root_id, partner_id)
    select needed.kind, needed.id, needed.root_id, needed.partner_id from (${sql.literal(neededJobs)}) needed where ${
    sql.literal(isMissing)
  }
    order by needed.kind, needed.id
    limit ${maxJobs}
    on conflict (kind, id) do nothing
    returning id`
  return started.length
}).pipe(Effect.withSpan("startMissingJobs"))
