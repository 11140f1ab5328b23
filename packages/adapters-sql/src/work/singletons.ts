import { contractsPerRound, pollDueContracts } from "@lastro/domain/origination"
import { Clock, Duration, Effect, Layer } from "effect"
import { MachineId, Singleton, Snowflake } from "effect/cluster"
import { SqlClient } from "effect/sql"
import { pollForever } from "../database/pollForever.ts"
import { tablePrefix } from "./engineTables.ts"

/** Options of the background work that runs on one node at a time. */
export interface SingletonOptions {
  /** The pause between polls for contracts that are due. Default: 200 ms. */
  readonly contractPollInterval?: Duration.Input | undefined
  /** Retention of an ended job, counted from the start of the job. Default: 1 hour. */
  readonly endedJobRetention?: Duration.Input | undefined
  /** The pause between purges while there is no ended job to delete. Default: 1 minute. */
  readonly purgeInterval?: Duration.Input | undefined
}

/** Maximum number of jobs that one statement deletes, which keeps statements short. */
const jobsPerPurge = 500

/**
 * Deletes the rows of jobs that have ended and were started longer ago than `retention`, oldest first. Returns the
 * number of deleted jobs. Unfinished jobs are never deleted. If a deleted job is started again, it runs again and finds
 * nothing to do.
 */
export const purgeEndedJobs = Effect.fn("purgeEndedJobs")(function*(retention: Duration.Duration) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  // Message ids start with their time of creation.
  const before = Snowflake.make({
    timestamp: now - Duration.toMillis(retention),
    machineId: MachineId.make(0),
    sequence: 0
  })
  const [purged] = yield* sql<{ readonly works: number }>`
    with ended as (
      select run.entity_type, run.entity_id
      from ${sql(`${tablePrefix}_messages`)} run
      where run.id < ${String(before)}::bigint and run.tag = 'run' and run.entity_type like 'Workflow/%' and exists (
        select from ${sql(`${tablePrefix}_replies`)} reply
        where reply.request_id = run.id and reply.kind = 0
          and reply.payload::jsonb #>> '{value,_tag}' is distinct from 'Suspended'
      )
      order by run.id
      limit ${jobsPerPurge}
    ),
    gone as (
      delete from ${sql(`${tablePrefix}_messages`)} message using ended
      where message.entity_type = ended.entity_type and message.entity_id = ended.entity_id
      returning message.id
    ),
    answers as (
      delete from ${sql(`${tablePrefix}_replies`)} reply using gone where reply.request_id = gone.id
    )
    select count(*)::int as works from ended`
  return purged?.works ?? 0
})

/** Polls the contracts that are due and purges ended jobs, each on one node at a time. Logs a failure and retries. */
export const layer = ({
  contractPollInterval = "200 millis",
  endedJobRetention = "1 hour",
  purgeInterval = "1 minute"
}: SingletonOptions = {}) =>
  Layer.merge(
    Singleton.make(
      "ContractWatch",
      pollForever({
        processBatch: pollDueContracts(),
        batchSize: contractsPerRound,
        interval: contractPollInterval,
        failureMessage: "Polling contracts failed; retrying"
      })
    ),
    Singleton.make(
      "WorkPurge",
      pollForever({
        processBatch: purgeEndedJobs(Duration.fromInputUnsafe(endedJobRetention)),
        batchSize: jobsPerPurge,
        interval: purgeInterval,
        failureMessage: "Purging ended jobs failed; retrying"
      })
    )
  )
