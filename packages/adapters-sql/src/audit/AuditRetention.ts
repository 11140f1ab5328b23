import { AuditRetention } from "@lastro/domain/audit"
import { type Timestamp } from "@lastro/domain/values"
import { Effect, Layer, Option, Schedule, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { isContention, orDie } from "../database/DatabaseFailure.ts"
import { locks } from "../database/locks.ts"
import { auditColumns, auditEntryOf, type AuditRow } from "./auditRow.ts"

/** Number of entries that an export reads in one query. */
const batchSize = 1_000

/**
 * Deleting entries requires the lock of the stored counts, and the locks of the entries, which an erasure can hold.
 * These are the pause between two attempts to get them, and the maximum number of attempts.
 */
const lockPoll = { pause: "200 millis", attempts: 150 } as const

export const layer: Layer.Layer<AuditRetention, never, SqlClient.SqlClient> = Layer.effect(
  AuditRetention,
  Effect.map(SqlClient.SqlClient, (sql) => {
    /**
     * The time of the last entry that this process deleted. The next scan of the index starts at this time, so it does
     * not read the deleted entries again.
     */
    let since = "-infinity"

    const readAfter = (before: Timestamp, last: Pick<AuditRow, "at" | "id"> | undefined) =>
      orDie(
        sql<AuditRow>`
          select ${sql.literal(auditColumns)} from audit item
          where item.at < ${before}::timestamptz ${
          last === undefined
            ? sql.literal("")
            : sql`and (item.at, item.id) > (${last.at}::timestamptz, ${last.id}::uuid)`
        }
          order by item.at, item.id limit ${sql.literal(String(batchSize))}`
      )

    /**
     * Deletes at most `limit` entries. Subtracts those that the stored counts include. Returns their number, and the
     * time of the last one.
     */
    const deleteEntries = (before: Timestamp, limit: number) =>
      sql<{ readonly count: bigint; readonly last: string | null }>`
        with doomed as materialized (
          select id, position, at, actor, action, partner_id from audit
          where at >= ${since}::timestamptz and at < ${before}::timestamptz order by at, id limit ${limit}
        ),
        deleted as (delete from audit using doomed where audit.id = doomed.id),
        counted as materialized (
          select partner.root_id, doomed.actor, doomed.action, part.grain, part.starts_at
          from doomed join partner on partner.id = doomed.partner_id cross join lateral (
            values ('ever', '-infinity'::timestamptz), ('day', date_trunc('day', doomed.at, 'UTC')),
              ('hour', date_trunc('hour', doomed.at, 'UTC'))
          ) part (grain, starts_at)
          where doomed.position <= (select folded_until from audit_count_fold)
        ),
        change as (
          select root_id, 'all' as field, '' as value, grain, starts_at, count(*) as entries
          from counted group by root_id, grain, starts_at
          union all
          select root_id, 'action', action, grain, starts_at, count(*)
          from counted group by root_id, action, grain, starts_at
          union all
          select root_id, 'actor', actor, grain, starts_at, count(*)
          from counted where grain = 'ever' group by root_id, actor, grain, starts_at
        ),
        reduced as (
          update audit_count stored set entries = stored.entries - change.entries from change
          where stored.root_id = change.root_id and stored.field = change.field and stored.value = change.value
            and stored.grain = change.grain and stored.starts_at = change.starts_at
        )
        select count(*) as count, max(at)::text as last from doomed`

    /**
     * Deletes entries in one transaction. Returns none if another node adds entries to the stored counts, or if an
     * erasure holds an entry for long.
     */
    const attempt = (before: Timestamp, limit: number) =>
      sql.withTransaction(Effect.gen(function*() {
        const [lock] = yield* locks(sql).attempt("counts", "audit fold")
        if (lock?.taken !== true) return Option.none()
        const [deleted] = yield* deleteEntries(before, limit)
        const count = Number(deleted?.count ?? 0)
        // Delete the counts of past days and hours that have no entry left.
        if (count < limit) yield* sql`delete from audit_count where entries = 0 and starts_at < ${before}::timestamptz`
        return Option.some({ count, last: deleted?.last ?? null })
      })).pipe(Effect.catchIf(isContention, () => Effect.succeedNone))

    return AuditRetention.of({
      exportBefore: (before) =>
        Stream.paginate(undefined as AuditRow | undefined, (last) =>
          Effect.map(readAfter(before, last), (rows) =>
            [
              rows.map(auditEntryOf),
              rows.length < batchSize ? Option.none() : Option.fromUndefinedOr(rows.at(-1))
            ] as const)),
      deleteBefore: Effect.fn("AuditRetention.deleteBefore")(function*(before, limit) {
        const deleted = yield* Effect.repeat(orDie(attempt(before, limit)), {
          until: Option.isSome,
          times: lockPoll.attempts,
          schedule: Schedule.spaced(lockPoll.pause)
        })
        if (Option.isNone(deleted)) return yield* Effect.die(new Error("The audit is locked"))
        const { count, last } = deleted.value
        since = count < limit || last === null ? "-infinity" : last
        return count
      })
    })
  })
)
