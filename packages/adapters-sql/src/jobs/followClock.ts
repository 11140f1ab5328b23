import { setBackThrottle, type ThrottleState } from "@lastro/domain/lender"
import { clockSetBackMs } from "@lastro/domain/values"
import { Effect } from "effect"
import { type SqlClient } from "effect/sql"
import { leaseMs } from "./leaseDueJobs.ts"
import { resetSeen } from "./nodeEntries.ts"

/** Moves the times of each lender's throttle back by `by_ms`. */
const setBackThrottles = Effect.fnUntraced(function*(sql: SqlClient.SqlClient, by_ms: number) {
  const stored = yield* sql<ThrottleState & { readonly lender: string }>`
    select lender, interval_ms, next_at, last_at, calls, waiting, lanes, served from lender_throttle
    order by lender for update`
  for (const { lender, ...state } of stored) {
    const { calls, lanes = [], last_at, next_at, waiting } = setBackThrottle(state, by_ms)
    yield* sql`
      update lender_throttle set next_at = ${next_at}::float8, last_at = ${last_at}::float8,
        calls = ${JSON.stringify(calls)}::jsonb, waiting = ${JSON.stringify(waiting)}::jsonb,
        lanes = ${JSON.stringify(lanes)}::jsonb
      where lender = ${lender}`
  }
})

/**
 * If the clock of the database was set back, moves the times that jobs, webhooks and lender calls wait for (JOB-09).
 * Only one node does it. Returns the milliseconds by which the clock was set back, or 0.
 */
export const followClock = (sql: SqlClient.SqlClient) =>
  sql.withTransaction(Effect.gen(function*() {
    // The updates below may change many jobs, so each has 60 seconds.
    yield* sql`select set_config('statement_timeout', '60s', true)`
    const [reset] = yield* resetSeen(sql)
    const by_ms = clockSetBackMs(reset?.by_ms ?? 0, 0)
    if (by_ms === 0) return 0
    const by = sql`${by_ms}::float8 * interval '1 millisecond'`
    const earlier = (time: string) => sql`greatest(${sql.literal(time)} - ${by}, now())`
    yield* sql`
      update job set
        run_at = case when owner is null then ${earlier("run_at")}
          else least(run_at, now() + ${leaseMs} * interval '1 millisecond') end,
        woken_at = least(woken_at, now()), slot_at = slot_at - ${by_ms}::float8
      where run_at > now()`
    yield* sql`update job_turn set turn_at = turn_at - ${by} where turn_at > now()`
    yield* sql`
      update webhook set next_at = ${earlier("next_at")}, hold_until = ${earlier("hold_until")},
        leased_until = ${earlier("leased_until")}
      where next_at > now() or hold_until > now() or leased_until > now()`
    yield* sql`update webhook_delivery set next_at = ${earlier("next_at")} where status = 'PENDING' and next_at > now()`
    yield* sql`update event_subscription set leased_until = ${earlier("leased_until")} where leased_until > now()`
    yield* setBackThrottles(sql, by_ms)
    return by_ms
  }))
