import { Clock, Duration, Effect } from "effect"
import { MachineId, Snowflake } from "effect/cluster"
import { SqlClient } from "effect/sql"
import { prefix } from "./engineTables.ts"

/** Works taken away in one statement at most, so that it is short. */
export const worksPerPurge = 500

/**
 * Takes away what the engine keeps of works that have ended and were started longer ago than `kept`, the oldest first, and tells
 * of how many. What has not ended is kept however old it is. A work that is started again later runs again and finds nothing to do.
 */
export const purgeWork = Effect.fn("purgeWork")(function*(kept: Duration.Duration) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  // The ids of messages begin with the time at which they were written.
  const before = Snowflake.make({
    timestamp: now - Duration.toMillis(kept),
    machineId: MachineId.make(0),
    sequence: 0
  })
  const [purged] = yield* sql<{ readonly works: number }>`
    with ended as (
      select run.entity_type, run.entity_id
      from ${sql(`${prefix}_messages`)} run
      where run.id < ${String(before)}::bigint and run.tag = 'run' and run.entity_type like 'Workflow/%' and exists (
        select from ${sql(`${prefix}_replies`)} reply
        where reply.request_id = run.id and reply.kind = 0
          and reply.payload::jsonb #>> '{value,_tag}' is distinct from 'Suspended'
      )
      order by run.id
      limit ${worksPerPurge}
    ),
    gone as (
      delete from ${sql(`${prefix}_messages`)} message using ended
      where message.entity_type = ended.entity_type and message.entity_id = ended.entity_id
      returning message.id
    ),
    answers as (
      delete from ${sql(`${prefix}_replies`)} reply using gone where reply.request_id = gone.id
    )
    select count(*)::int as works from ended`
  return purged?.works ?? 0
})
