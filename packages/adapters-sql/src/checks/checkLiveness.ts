import { type NodeAlarm } from "@lastro/domain/adapters"
import { alarmingFailures, jobKinds } from "@lastro/domain/jobs"
import { maxClockSkewMs } from "@lastro/domain/values"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { withoutTransforms } from "../database/withoutTransforms.ts"
import { readLeftLenders } from "../jobs/leftLenders.ts"
import { runsJobs } from "../jobs/nodeEntries.ts"
import { lostSeconds } from "../migrations/olderNodes.ts"
import { type Finding, type Invariant, runQueries } from "./Finding.ts"

/** A job that is still not fetched this many seconds after its due time is reported. */
const fetchSeconds = 15

const minutesOf = (interval: string) => `round(extract(epoch from ${interval}) / 60, 1) || ' min'`

/**
 * True for a job whose lender is no longer installed. Such a job waits until the lender returns (LENDER-28), and a
 * running node raises an alarm for it.
 */
const isOfLeftLender = `exists (
  select from node where seen_at > now() - interval '${lostSeconds} seconds'
    and 'LENDER_LEFT:' || split_part(job.kind, ':', 2) = any(node.alarms))`

/** Invariants of running nodes. They may be violated for a short time, for example while a node starts. */
const liveness: ReadonlyArray<Invariant> = [
  [
    "At least one node is running",
    `select 'no node was seen in the last ${lostSeconds} s' as example
      where not exists (select from node where seen_at > now() - interval '${lostSeconds} seconds' and ${runsJobs})`
  ],
  [
    "The clock of every node agrees with the clock of the database",
    `select label || ' is ' || abs(round(clock_skew_ms / 1000.0)) || case when clock_skew_ms > 0 then ' s ahead' else ' s behind' end
        as example from node
      where seen_at > now() - interval '${lostSeconds} seconds' and abs(clock_skew_ms) > ${maxClockSkewMs}`
  ],
  [
    `Every due job is fetched within ${fetchSeconds} s`,
    `select kind || '/' || id || ', due for ' || ${minutesOf("now() - run_at")} as example from job
      where run_at < now() - interval '${fetchSeconds} seconds' and not ${isOfLeftLender} order by run_at`
  ],
  [
    "Every job has a kind that this version runs",
    `select kind || '/' || id as example from job
      where kind not in (${
      jobKinds.map((kind) => `'${kind}'`).join(", ")
    }) and kind !~ '^(quote|contract):[a-z][a-z0-9-]*$'`
  ],
  [
    `No job has failed ${alarmingFailures} times in a row`,
    `select kind || '/' || id || ', ' || failures || ' times: ' || failure as example from job
      where failures >= ${alarmingFailures} order by failures desc`
  ],
  [
    "No job has crashed its process",
    `select kind || '/' || id || ', ' || silent || ' runs without an outcome' as example from job where silent > 2`
  ]
]

/**
 * The pause between two reads of the pending count changes. Nodes add these changes to the stored counts every second.
 */
const foldPause = "5 seconds"

const oldestChange = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<{ readonly id: string }>`select id::text as id from subtree_count_delta order by id limit 1`
)

/**
 * Checks that nodes add pending changes to the stored counts. The oldest pending change must be gone after the pause.
 */
const checkFolding = Effect.gen(function*() {
  const [before] = yield* oldestChange
  if (before === undefined) return []
  yield* Effect.sleep(foldPause)
  const [after] = yield* oldestChange
  const finding: Finding = {
    invariant: "Pending changes are added to the stored counts",
    count: 1,
    examples: [`change ${before.id} is still pending after 5 s`]
  }
  return before.id === after?.id ? [finding] : []
})

/**
 * Checks that the nodes on this database run, fetch due jobs, and add pending changes to the stored counts. Returns no
 * findings if they do. Takes up to 5 s.
 */
export const checkLiveness = Effect.gen(function*() {
  return [...yield* runQueries(liveness), ...yield* checkFolding]
}).pipe(withoutTransforms, Effect.withSpan("checkLiveness"))

/** Counts of the stored jobs, and the nodes that run jobs. */
export interface WorkStatus {
  /** Labels of the nodes that run jobs, if seen in the last 10 s. */
  readonly nodes: ReadonlyArray<string>
  readonly running: number
  readonly due: number
  readonly waiting: number
  readonly failing: number
  /** Seconds since the longest overdue job was due. Null if no job is due. */
  readonly oldest_due_seconds: number | null
}

/** Counts the stored jobs in one query, and lists the nodes that run jobs. */
export const readWorkStatus = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const nodes = yield* sql<{ readonly label: string }>`
    select label from node
    where seen_at > now() - ${lostSeconds} * interval '1 second' and ${sql.literal(runsJobs)} order by label, id`
  const [jobs] = yield* sql<Omit<WorkStatus, "nodes">>`
    select count(*) filter (where owner is not null)::int as running,
      count(*) filter (where owner is null and run_at <= now())::int as due,
      count(*) filter (where owner is null and run_at > now())::int as waiting,
      count(*) filter (where failures > 0)::int as failing,
      extract(epoch from now() - min(run_at) filter (where run_at <= now()))::int as oldest_due_seconds
    from job`
  const status: WorkStatus = {
    nodes: nodes.map(({ label }) => label),
    ...(jobs ?? { running: 0, due: 0, waiting: 0, failing: 0, oldest_due_seconds: null })
  }
  return status
}).pipe(withoutTransforms)

/** An alarm, with the label of the node that raised it. */
export interface RaisedAlarm {
  readonly alarm: NodeAlarm
  /** The label of the node. Null for an alarm that no running node has raised. */
  readonly node: string | null
}

/**
 * Reads the alarms of the nodes that were seen in the last 10 s. `codes` are the codes of the installed lenders. If they
 * are given, adds an alarm for every other lender that has jobs, unless a node has raised it.
 */
export const readAlarms = (codes?: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const raised = yield* sql<RaisedAlarm>`
      select label as node, unnest(alarms) as alarm from node
      where seen_at > now() - ${lostSeconds} * interval '1 second' order by label, alarm`
    const left = codes === undefined ? [] : yield* readLeftLenders(sql, codes)
    const alarms = left.map((code): RaisedAlarm["alarm"] => `LENDER_LEFT:${code}`)
    const added = alarms.filter((alarm) => raised.every((known) => known.alarm !== alarm))
    return [...raised, ...added.map((alarm): RaisedAlarm => ({ alarm, node: null }))]
  }).pipe(withoutTransforms, Effect.withSpan("readAlarms"))
