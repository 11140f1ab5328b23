import { type CallEntry, type CallRequest, intervalMs, LenderThrottle, throttleTimes } from "@lastro/domain/lender"
import { type LenderThrottleLimits } from "@lastro/domain/lender"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { orDie } from "../database/DatabaseFailure.ts"

const { callLapseMs, claimGraceMs, longestGraceMs, longestRoomPauseMs, maxWaiting, roomPauseMs } = throttleTimes

interface Entry {
  readonly entered: boolean
  readonly after_ms: number
  readonly slot_at: number
}

/**
 * Stores the throttle of each lender in one row, so that all nodes together keep its limits. Each request for a call
 * runs one statement, which implements the rule `judgeEntry` in SQL with the clock of the database.
 */
export const layer: Layer.Layer<LenderThrottle, never, SqlClient.SqlClient> = Layer.effect(
  LenderThrottle,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const judge = (
      { lender, slot_at, ticket }: CallRequest,
      limits: LenderThrottleLimits,
      call: string
    ) => {
      const interval = intervalMs(limits)
      const max = limits.max_in_flight
      return sql<Entry>`
        with locked as materialized (
          select * from lender_throttle where lender = ${lender} for update
        ),
        present as materialized (
          select locked.*, floor(extract(epoch from clock_timestamp()) * 1000)::float8 as at, ${interval}::float8 as gap from locked
        ),
        live as materialized (
          select at, gap, least(last_at, at) as last_at,
            case when interval_ms = gap then next_at else 0 end as next_at,
            (
              select coalesce(jsonb_agg(one), '[]') from jsonb_array_elements(calls) one
              where (one ->> 'ends_at')::float8 > at
            ) as calls,
            (
              select coalesce(jsonb_agg(one), '[]') from jsonb_array_elements(waiting) one
              where (one ->> 'returns_at')::float8 + ${claimGraceMs} > at and one ->> 'ticket' <> ${ticket}
            ) as others
          from present
        ),
        placed as materialized (
          select *, coalesce(${slot_at}::float8, greatest(at, next_at, last_at + gap)) as slot_at,
            ${max}::int - jsonb_array_length(calls) as room
          from live
        ),
        counted as materialized (
          select placed.*, before.ahead, before.claimed, before.overtaken
          from placed cross join lateral (
            select count(*)::int as ahead, (count(*) filter (where (one ->> 'claims')::boolean))::int as claimed,
              (count(*) filter (
                where not (one ->> 'claims')::boolean and (one ->> 'returns_at')::float8 <= at
                  and at < (one ->> 'returns_at')::float8 + least(gap, ${longestGraceMs})
              ))::int as overtaken
            from jsonb_array_elements(others) one
            where (one ->> 'slot_at')::float8 < slot_at
              or (one ->> 'slot_at')::float8 = slot_at and (one ->> 'ticket') collate "C" < ${ticket}
          ) before
        ),
        judged as materialized (
          select *, at < slot_at as early,
            at >= slot_at and at >= last_at + gap and (room is null or claimed < room) and overtaken = 0 as enters,
            room is not null and claimed >= room as claims,
            greatest(
              greatest(last_at + gap - at, 0) + ahead * gap,
              case
                when room is null or claimed < room then 0
                when claimed < ${maxWaiting}
                  then least(${roomPauseMs}::float8 * (1 + claimed / ${max}::int), ${longestRoomPauseMs})
                else ${longestRoomPauseMs}
              end,
              1
            ) as pause
          from counted
        ),
        entered as (
          update lender_throttle set
            interval_ms = gap,
            next_at = case when ${slot_at}::float8 is null then judged.slot_at + gap else judged.next_at end,
            last_at = case when enters then at else judged.last_at end,
            calls = case
              when enters and room is not null
                then judged.calls || jsonb_build_object('call', ${call}::text, 'ends_at', at + ${callLapseMs}::float8)
              else judged.calls
            end,
            waiting = case
              when early or enters then others
              else (
                select jsonb_agg(one order by (one ->> 'slot_at')::float8, (one ->> 'ticket') collate "C")
                from (
                  select one from jsonb_array_elements(
                    others || jsonb_build_object(
                      'ticket', ${ticket}::text, 'slot_at', slot_at, 'claims', claims,
                      'returns_at', at + pause
                    )
                  ) one
                  order by (one ->> 'slot_at')::float8, (one ->> 'ticket') collate "C"
                  limit ${maxWaiting}
                ) oldest
              )
            end
          from judged where lender_throttle.lender = ${lender}
        )
        select enters as entered, case when early then slot_at - at else pause end as after_ms, slot_at from judged`
    }

    const enter = Effect.fnUntraced(function*(request: CallRequest, limits: LenderThrottleLimits) {
      const call = randomUUID()
      const [entry] = yield* judge(request, limits, call)
      if (entry === undefined) {
        yield* sql`insert into lender_throttle (lender) values (${request.lender}) on conflict do nothing`
        return yield* Effect.suspend((): Effect.Effect<CallEntry> => orDie(enter(request, limits)))
      }
      const answer: CallEntry = entry.entered
        ? { _tag: "ENTERED", call }
        : { _tag: "WAIT", after_ms: entry.after_ms, slot_at: entry.slot_at }
      return answer
    })

    return LenderThrottle.of({
      enter: Effect.fn("LenderThrottle.enter")((request, limits) => orDie(enter(request, limits))),
      leave: Effect.fn("LenderThrottle.leave")((lender, call) =>
        Effect.ignoreCause(sql`
          update lender_throttle set
            calls = (
              select coalesce(jsonb_agg(one), '[]') from jsonb_array_elements(calls) one where one ->> 'call' <> ${call}
            )
          where lender = ${lender}`)
      )
    })
  })
)
