import { type MetricOnRead, registerMetrics } from "@lastro/domain/adapters"
import { jobKinds } from "@lastro/domain/jobs"
import { type Context, Effect } from "effect"
import { type SqlClient } from "effect/sql"
import { readOnDemand } from "../database/readOnDemand.ts"
import { programVersion } from "../migrations/migrate.ts"
import { type NodeHealth } from "./NodeHealth.ts"

/** Minimum milliseconds between two reads of the job table. */
const readInterval = 5_000

/** The stored jobs of one kind. */
interface JobCounts {
  readonly kind: string
  readonly running: number
  readonly due: number
  readonly waiting: number
  readonly failing: number
  readonly failures: number
  readonly oldest_due_seconds: number
}

const allEqual = (value: number): Omit<JobCounts, "kind"> => ({
  running: value,
  due: value,
  waiting: value,
  failing: value,
  failures: value,
  oldest_due_seconds: value
})

const noJobs = allEqual(0)

const unknownJobs = allEqual(Number.NaN)

/**
 * Counts the jobs of each kind over all lenders. A job with an expired lease counts as due. A job in a queue that this
 * node does not run counts as waiting: its lender is no longer installed (LENDER-28), which has its own alarm.
 */
const countJobs = (sql: SqlClient.SqlClient, queues: ReadonlyArray<string>) =>
  sql<JobCounts>`
    select split_part(kind, ':', 1) as kind,
      (count(*) filter (where run_at > now() and owner is not null))::int as running,
      (count(*) filter (where run_at <= now() and is_run))::int as due,
      (count(*) filter (where run_at > now() and owner is null or run_at <= now() and not is_run))::int as waiting,
      (count(*) filter (where failures > 0))::int as failing,
      max(failures)::int as failures,
      coalesce(extract(epoch from now() - min(run_at) filter (where run_at <= now() and is_run)), 0)::float8
        as oldest_due_seconds
    from (select job.*, kind = any(${queues}::text[]) as is_run from job) job group by split_part(kind, ':', 1)`

/** Registers the metrics of the stored jobs. All nodes of a database report the same values. */
const registerCounts = (countsOf: (kind: string) => Omit<JobCounts, "kind">) =>
  registerMetrics(jobKinds.flatMap((kind): ReadonlyArray<MetricOnRead> => {
    const jobs = (state: "running" | "due" | "waiting"): MetricOnRead => ({
      name: "lastro_jobs",
      description:
        "Durable jobs in the database by kind and state. Every node shows the same value, so do not sum them over nodes",
      labels: { kind, state },
      read: () => countsOf(kind)[state]
    })
    return [
      jobs("running"),
      jobs("due"),
      jobs("waiting"),
      {
        name: "lastro_jobs_oldest_due_seconds",
        description:
          "Time for which the longest overdue job has been due. It is below a few seconds while nodes fetch jobs",
        labels: { kind },
        read: () => countsOf(kind).oldest_due_seconds,
        join: Math.max
      },
      {
        name: "lastro_jobs_failing",
        description: "Durable jobs whose last run failed",
        labels: { kind },
        read: () => countsOf(kind).failing
      },
      {
        name: "lastro_job_failures_max",
        description: "Highest number of failed runs in a row of any job",
        labels: { kind },
        read: () => countsOf(kind).failures,
        join: Math.max
      }
    ]
  }))

/**
 * Registers the metrics of the jobs until the scope closes. Returns an effect that reads the job table with one
 * statement, at most every 5 s and only when the metrics are read. The values are NaN if no read succeeded in the last
 * 5 minutes. `queues` are those that this node runs.
 */
export const registerJobMetrics = Effect.fnUntraced(function*(
  sql: SqlClient.SqlClient,
  queues: ReadonlyArray<string> = jobKinds
) {
  const counts = yield* readOnDemand(
    Effect.map(countJobs(sql, queues), (rows) => new Map(rows.map((row) => [row.kind, row]))),
    readInterval
  )
  yield* registerCounts((kind) => {
    const jobsByKind = counts.value()
    return jobsByKind === undefined ? unknownJobs : jobsByKind.get(kind) ?? noJobs
  })
  return { refresh: counts.refresh }
})

/** Returns the value that is farthest from 0. */
const farthest = (...values: ReadonlyArray<number>): number =>
  values.reduce((best, value) => Math.abs(value) > Math.abs(best) ? value : best, 0)

/** Registers the metrics of the health of this node until the scope closes. */
export const registerNodeMetrics = ({ problem, schemaVersion, skewMs }: NodeHealth) =>
  Effect.contextWith((context: Context.Context<never>) => {
    const runSync = Effect.runSyncWith(context)
    return registerMetrics([
      {
        name: "lastro_node_ready",
        description: "1 if this node can work, as GET /health/ready reports it, and 0 otherwise",
        read: () => runSync(problem) === null ? 1 : 0,
        join: Math.min
      },
      {
        name: "lastro_node_clock_skew_seconds",
        description:
          "Difference of the clock of this node from the clock of the database. Above 30 s in either direction the node is not ready",
        read: () => skewMs() / 1_000,
        join: farthest
      },
      {
        name: "lastro_schema_version",
        description: "The last migration of the database, as this node last read it",
        labels: { of: "database" },
        read: () => schemaVersion() ?? Number.NaN,
        join: Math.max
      },
      {
        name: "lastro_schema_version",
        description: "The last migration that this program contains",
        labels: { of: "program" },
        read: () => programVersion,
        join: Math.max
      }
    ])
  })
