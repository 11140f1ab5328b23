import { Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { locks } from "../database/locks.ts"
import { withoutTransforms } from "../database/withoutTransforms.ts"

/** Maximum number of entries per transaction. It keeps transactions short. */
const batchSize = 20_000n

/**
 * An actor with at least this number of entries in one batch gets a stored count. Other actors rarely have more entries
 * than a list may examine, so they need none. Counts of all actors would take as many writes as the entries themselves.
 */
const busyActor = 20

/** The pause between two checks for transactions that are writing audit entries, and the maximum number of checks. */
const writerPoll = { pause: "25 millis", attempts: 40 } as const

/** Maximum time of a statement. It is long, because for a new busy actor all earlier entries are counted once. */
const statementTimeout = "30s"

/**
 * Selects the transactions that may have uncommitted audit entries: those that hold a write lock on `audit`, which
 * lasts until their end.
 */
const selectWriters = (sql: SqlClient.SqlClient) =>
  sql<{ readonly transaction: string }>`
    select virtualtransaction as transaction from pg_locks
    where locktype = 'relation' and relation = 'audit'::regclass and mode = 'RowExclusiveLock' and granted
      and database = (select oid from pg_database where datname = current_database()) and pid is distinct from pg_backend_pid()`

/**
 * Waits for the transactions that are writing audit entries now, but not for later ones. Returns false if one of them
 * takes too long.
 */
const awaitWriters = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  const current = new Set((yield* selectWriters(sql)).map(({ transaction }) => transaction))
  if (current.size === 0) return true
  const hasWriter = Effect.map(
    selectWriters(sql),
    (writers) => writers.some(({ transaction }) => current.has(transaction))
  )
  return !(yield* Effect.repeat(hasWriter, {
    while: (has) => has,
    times: writerPoll.attempts,
    schedule: Schedule.spaced(writerPoll.pause)
  }))
})

const fold = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  const [lock] = yield* locks(sql).attempt("counts", "audit fold")
  if (lock?.taken !== true) return 0
  const [range] = yield* sql<{ readonly since: bigint; readonly last: bigint | null }>`
    select folded_until as since, (select max(position) from audit) as last from audit_count_fold`
  if (range === undefined || range.last === null || range.last <= range.since) return 0
  const { last, since } = range
  yield* sql`select set_config('statement_timeout', ${statementTimeout}, true)`
  // An entry gets its position before its commit. The writers have ended, so each entry up to this position is either
  // visible now or was rolled back.
  if (!(yield* awaitWriters(sql))) return 0
  const until = last - since > batchSize ? since + batchSize : last
  yield* sql`
    with entry as materialized (
      select partner.root_id, item.action, item.actor, day.*
      from audit item join partner on partner.id = item.partner_id cross join lateral (
        values ('ever', '-infinity'::timestamptz), ('day', date_trunc('day', item.at, 'UTC')), ('hour', date_trunc('hour', item.at, 'UTC'))
      ) day (grain, starts_at)
      where item.position > ${since} and item.position <= ${until}
    ),
    by_actor as materialized (
      select root_id, actor, count(*) as entries from entry where grain = 'ever' group by root_id, actor
    ),
    grown as (
      update audit_count stored set entries = stored.entries + by_actor.entries from by_actor
      where stored.root_id = by_actor.root_id and stored.field = 'actor' and stored.value = by_actor.actor
        and stored.grain = 'ever' and stored.starts_at = '-infinity'
    )
    insert into audit_count as stored (root_id, field, value, grain, starts_at, entries)
    select root_id, 'all', '', grain, starts_at, count(*) from entry group by root_id, grain, starts_at
    union all
    select root_id, 'action', action, grain, starts_at, count(*) from entry group by root_id, action, grain, starts_at
    union all
    select root_id, 'actor', actor, 'ever', '-infinity', entries + case when ${since} > 0 then (
      select count(*) from audit item
      where item.actor = by_actor.actor and item.position <= ${since}
        and (select root_id from partner where partner.id = item.partner_id) = by_actor.root_id
    ) else 0 end
    from by_actor where entries >= ${busyActor} and not exists (
      select from audit_count present
      where present.root_id = by_actor.root_id and present.field = 'actor' and present.value = by_actor.actor
    )
    order by 1, 2, 3, 4, 5
    on conflict (root_id, field, value, grain, starts_at) do update set entries = stored.entries + excluded.entries`
  yield* sql`update audit_count_fold set folded_until = ${until}`
  return Number(until - since)
})

/** The size of a full batch of {@link foldAuditCounts}. */
export const auditBatch = Number(batchSize)

/**
 * Adds the next audit entries to the stored counts. Returns the number of positions added. Returns 0 if no entry is
 * left, if another node is adding entries, or if a transaction that writes entries takes longer than a second. Lists
 * count the remaining entries one by one, so totals are always exact.
 */
export const foldAuditCounts = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  return yield* sql.withTransaction(fold(sql))
}).pipe(withoutTransforms, Effect.withSpan("foldAuditCounts"))
