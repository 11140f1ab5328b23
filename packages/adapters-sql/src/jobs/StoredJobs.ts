import { type JobKey, type StoredJob, StoredJobs } from "@lastro/domain/jobs"
import { Array as Arr, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { toTimestamp } from "../database/columnValues.ts"
import { orDie } from "../database/DatabaseFailure.ts"

interface Row extends Omit<StoredJob, "created_at" | "due_at"> {
  readonly created_at: Date
  readonly due_at: Date
}

const storedJobOf = (row: Row): StoredJob => ({
  ...row,
  created_at: toTimestamp(row.created_at),
  due_at: toTimestamp(row.due_at)
})

/** Reads and changes stored durable jobs. All times are those of the database. */
export const layer: Layer.Layer<StoredJobs, never, SqlClient.SqlClient> = Layer.effect(
  StoredJobs,
  Effect.map(SqlClient.SqlClient, (sql) => {
    // A job whose lease has expired counts as due, because its node is lost.
    const select = sql`
      select kind, id, case when run_at <= now() then 'DUE' when owner is null then 'WAITING' else 'RUNNING' end as state,
        created_at, run_at as due_at, attempt, failures, failure as last_error
      from job`
    const isJob = ({ id, kind }: JobKey) => sql`kind = ${kind} and id = ${id}`
    return StoredJobs.of({
      list: Effect.fn("StoredJobs.list")((limit) =>
        Effect.map(
          orDie(sql<Row>`${select} order by run_at, kind, id limit ${limit}`),
          (rows) => rows.map(storedJobOf)
        )
      ),
      listFailed: Effect.fn("StoredJobs.listFailed")((root, limit) =>
        Effect.map(
          orDie(sql<Row>`
            ${select} where root_id = ${root} and failure is not null order by created_at, kind, id limit ${limit}`),
          (rows) => rows.map(storedJobOf)
        )
      ),
      find: Effect.fn("StoredJobs.find")((key) =>
        Effect.map(
          orDie(sql<Row>`${select} where ${isJob(key)}`),
          (rows) => Option.map(Arr.head(rows), storedJobOf)
        )
      ),
      end: Effect.fn("StoredJobs.end")((key) => Effect.asVoid(orDie(sql`delete from job where ${isJob(key)}`)))
    })
  })
)
