import { NodeAlarms } from "@lastro/domain/adapters"
import { jobInQueue } from "@lastro/domain/jobs"
import { lenderOfRecord } from "@lastro/domain/lender"
import { Clock, Effect } from "effect"
import { type SqlClient } from "effect/sql"

/** Maximum number of jobs of a lender that one call reads. */
const pieceSize = 500

/** The lender in an alarm about a record that names no lender. No code has this form. */
const unnamed = "?"

/**
 * Selects the lenders of the next jobs in the queues without a lender code. The code is in the record of each job; null
 * if the record has none. The next jobs are enough: a job of a lender that is no longer installed runs every minute, so
 * it soon is one of them.
 */
const readUncodedLenders = (sql: SqlClient.SqlClient) =>
  sql<{ readonly lender: string | null }>`
    (
      select distinct nullif(facts -> 'parts' -> 0 -> 'lender' ->> 'code', '') as lender from quote
      where id in (select id from job where kind = 'quote' order by run_at limit ${pieceSize})
    )
    union
    (
      select distinct lender from proposal
      where id in (select id from job where kind = 'contract' order by run_at limit ${pieceSize})
    )`

/**
 * Returns the lenders that have jobs but are not among `codes`. Reads the names of the queues, one index entry each,
 * and some records of jobs (see {@link readUncodedLenders}).
 */
export const readLeftLenders = (sql: SqlClient.SqlClient, codes: ReadonlyArray<string>) =>
  Effect.zipWith(
    readUncodedLenders(sql),
    sql<{ readonly kind: string }>`
      with recursive queue (kind) as (
        select min(kind) from job
        union all
        select (select min(kind) from job where job.kind > queue.kind) from queue where queue.kind is not null
      )
      select kind from queue where kind is not null`,
    (uncoded, rows) => {
      const coded = rows.flatMap(({ kind }) => {
        const job = jobInQueue(kind, "")
        return job !== undefined && "lender" in job && job.lender !== undefined ? [job.lender] : []
      })
      const lenders = codes.map((code) => ({ code }))
      const left = [...coded, ...uncoded.map(({ lender }) => lender)].filter((code) =>
        lenderOfRecord({ lenders }, code) === undefined
      )
      return Array.from(new Set(left.map((code) => code ?? unnamed)))
    }
  )

/**
 * Deletes jobs of a lender that is no longer installed, if their quote or contract no longer needs them (JOB-02). No
 * node runs these jobs, so no node would end them. Reads the jobs that have waited longest first.
 */
const endUnneeded = (sql: SqlClient.SqlClient, lender: string) =>
  sql`
    with waiting as (
      select kind, id from job where kind = any(${[`quote:${lender}`, `contract:${lender}`]}::text[]) and owner is null
      order by run_at limit ${pieceSize} for update skip locked
    )
    delete from job using waiting
    where job.kind = waiting.kind and job.id = waiting.id and (
      exists (
        select from quote where quote.id = job.id and not exists (
          select from json_array_elements(quote.facts -> 'parts') part
          where part ->> 'outcome' = 'PENDING' and part -> 'lender' ->> 'code' = ${lender}
        )
      )
      or exists (
        select from proposal join application on application.id = proposal.application_id
        where proposal.id = job.id and not application.unfinished
          and not (proposal.status = 'PAID' and proposal.watched_until > now())
      )
    )`

/**
 * Raises an alarm for each lender that is no longer installed but has jobs, and logs each of them once. The jobs wait
 * until the lender returns. Deletes jobs that are no longer needed. The alarm ends with the last job.
 */
export const makeLeftLenderAlarm = (sql: SqlClient.SqlClient, codes: ReadonlyArray<string>) => {
  const logged = new Set<string>()
  return Effect.gen(function*() {
    const alarms = yield* NodeAlarms
    const now = yield* Clock.currentTimeMillis
    for (const lender of yield* readLeftLenders(sql, codes)) yield* endUnneeded(sql, lender)
    const left = yield* readLeftLenders(sql, codes)
    for (const lender of logged) {
      if (left.includes(lender)) continue
      logged.delete(lender)
      alarms.delete(`LENDER_LEFT:${lender}`)
    }
    for (const lender of left) {
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
