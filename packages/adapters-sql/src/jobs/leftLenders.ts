import { NodeAlarms } from "@lastro/domain/adapters"
import { jobInQueue } from "@lastro/domain/jobs"
import { Clock, Effect } from "effect"
import { type SqlClient } from "effect/sql"

/**
 * Returns the codes of the lenders that have jobs, but are not among `codes`. Reads one index entry for each queue,
 * however many jobs there are.
 */
export const readLeftLenders = (sql: SqlClient.SqlClient, codes: ReadonlyArray<string>) =>
  Effect.map(
    sql<{ readonly kind: string }>`
      with recursive queue (kind) as (
        select min(kind) from job
        union all
        select (select min(kind) from job where job.kind > queue.kind) from queue where queue.kind is not null
      )
      select kind from queue where kind is not null`,
    (rows) => {
      const found = rows.flatMap(({ kind }) => {
        const job = jobInQueue(kind, "")
        return job !== undefined && "lender" in job && job.lender !== undefined ? [job.lender] : []
      })
      return Array.from(new Set(found)).filter((code) => !codes.includes(code))
    }
  )

/** Raises an alarm for each lender that left the installation and has jobs, which wait. Logs each of them once. */
export const makeLeftLenderAlarm = (sql: SqlClient.SqlClient, codes: ReadonlyArray<string>) => {
  const logged = new Set<string>()
  return Effect.gen(function*() {
    const alarms = yield* NodeAlarms
    const now = yield* Clock.currentTimeMillis
    for (const lender of yield* readLeftLenders(sql, codes)) {
      alarms.set(`LENDER_LEFT:${lender}`, now)
      if (logged.has(lender)) continue
      logged.add(lender)
      yield* Effect.annotateLogs(
        Effect.logError(
          "jobs of a lender wait, because this installation no longer has it; add it to LASTRO_LENDERS again until its work is finished"
        ),
        { lender }
      )
    }
  })
}
