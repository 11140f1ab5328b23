import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Creates the table of durable jobs and the list of nodes.
 *
 * An earlier version stored its jobs in the tables of a workflow engine (`lastro_work_…`) and the poll schedule in
 * `contract_look`. These tables remain, because nodes of that version may still be running. `startMissingJobs`
 * restarts the jobs that those nodes leave unfinished.
 */
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // The number of a lease never repeats, even if a job ends and is started again.
  yield* sql`create sequence job_fence`
  yield* sql`
    create table job (
      kind text collate "C" not null,
      id uuid not null,
      run_at timestamptz not null default now(),
      attempt integer not null default 1,
      pauses integer not null default 0,
      starts integer not null default 1,
      owner uuid,
      fence bigint not null default 0,
      silent integer not null default 0,
      failures integer not null default 0,
      failure text,
      created_at timestamptz not null default now(),
      primary key (kind, id)
    ) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`
  yield* sql`create index job_due on job (kind, run_at)`
  yield* sql`
    create table node (
      id uuid primary key,
      label text not null,
      started_at timestamptz not null default now(),
      seen_at timestamptz not null default now(),
      clock_skew_ms integer not null
    )`
})
