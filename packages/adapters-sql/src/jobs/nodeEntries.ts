import { type NodeAlarm } from "@lastro/domain/adapters"
import { maxClockStepMs } from "@lastro/domain/values"
import { Effect } from "effect"
import { type SqlClient } from "effect/sql"
import { type Fragment } from "effect/sql/Statement"
import { programVersion } from "../migrations/migrate.ts"
import { readStoredSchema, selectLastMigration, type StoredSchema } from "../migrations/storedSchema.ts"

/** The identity of a node in the list of nodes. */
export interface NodeIdentity {
  readonly id: string
  readonly label: string
  /** False for a process that starts jobs but runs none. */
  readonly runs_jobs: boolean
  /** Returns the alarms of this process. Default: none. */
  readonly alarms?: () => ReadonlyArray<NodeAlarm>
}

/**
 * SQL condition on the list of nodes: the process runs jobs. In the previous version, the id of a process that only
 * starts jobs was a UUID of version 8.
 */
export const runsJobs = "coalesce(node.runs_jobs, substr(node.id::text, 15, 1) <> '8')"

/**
 * Writes the node's entry in the list of nodes, to show other processes that it is running. Writes nothing if `skew_ms`
 * is null. A time ahead of the clock stays until {@link resetSeen} resets it.
 */
export const enterNode = (
  sql: SqlClient.SqlClient,
  { alarms = () => [], id, label, runs_jobs }: NodeIdentity,
  skew_ms: number | null
): Fragment =>
  sql`
    insert into node (id, label, clock_skew_ms, schema_version, runs_jobs, alarms)
    select ${id}::uuid, ${label}, ${skew_ms ?? 0}::int, ${programVersion}::int, ${runs_jobs}::boolean,
      ${alarms()}::text[]
    where ${skew_ms !== null}::boolean
    on conflict (id) do update set
      seen_at = case when node.seen_at > now() + ${maxStep(sql)} then node.seen_at else now() end,
      clock_skew_ms = excluded.clock_skew_ms,
      alarms = excluded.alarms`

const maxStep = (sql: SqlClient.SqlClient) => sql.literal(`${maxClockStepMs} * interval '1 millisecond'`)

/** Selects the milliseconds by which the latest time in the list of nodes is ahead of the clock (JOB-09). */
export const seenAheadColumn = (sql: SqlClient.SqlClient): Fragment =>
  sql`(select (extract(epoch from max(seen_at) - now()) * 1000)::float8 from node)`

/**
 * Resets the times in the list of nodes that are ahead of the clock. Selects by how many milliseconds the latest one
 * was ahead. If several nodes do this, only the first one gets a row, so only that node changes the waiting jobs.
 */
export const resetSeen = (sql: SqlClient.SqlClient) =>
  sql<{ readonly by_ms: number }>`
    with ahead as (select id, seen_at from node where seen_at > now() + ${maxStep(sql)} order by id for update),
    reset as (update node set seen_at = now() from ahead where node.id = ahead.id)
    select (extract(epoch from max(seen_at) - now()) * 1000)::float8 as by_ms from ahead having count(*) > 0`

/** Selects the schema version of the database as JSON. */
export const schemaColumn = (sql: SqlClient.SqlClient): Fragment =>
  sql`(select to_json(last) from (${sql.literal(selectLastMigration)}) last)`

/** Creates the statements about a node's entry. They use no table that a later version may change. */
export const makeNodeEntries = (sql: SqlClient.SqlClient, identity: NodeIdentity) => ({
  /** Adds a process that runs no jobs to the list of nodes. Reads the time and the schema version of the database. */
  enter: (skew_ms: number) =>
    Effect.map(
      sql<{ readonly database_ms: number; readonly schema: StoredSchema }>`
        with seen as (${enterNode(sql, identity, skew_ms)})
        select (extract(epoch from clock_timestamp()) * 1000)::float8 as database_ms, ${schemaColumn(sql)} as schema`,
      ([row]) => ({ database_ms: row?.database_ms ?? 0, schema: row?.schema ?? { version: 0, lowest_program: null } })
    ),
  /** Removes a process that runs no jobs from the list of nodes. */
  exit: sql`delete from node where id = ${identity.id}`,
  /** Reads only the schema version, for a node whose poll fails because the schema was migrated. */
  readSchema: readStoredSchema(sql),
  /**
   * Writes 64 kB, which require new pages, and rolls back. Succeeds if the disk of the database has space again. A
   * smaller write proves nothing, because it often fits into an existing page.
   */
  tryDisk: sql.withTransaction(Effect.andThen(
    sql`
      insert into node (id, label, clock_skew_ms)
      select gen_random_uuid(), string_agg(md5(random()::text), ''), 0 from generate_series(1, 2048)`,
    Effect.fail("rolled back" as const)
  )).pipe(Effect.catchIf((error) => error === "rolled back", () => Effect.void)),
  /** Removes nodes that have not been seen for a day. */
  forgetLostNodes: sql`delete from node where seen_at < now() - interval '1 day'`
})

export type NodeEntries = ReturnType<typeof makeNodeEntries>
