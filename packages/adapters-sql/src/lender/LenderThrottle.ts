import { judgeEntry, leaveThrottle, LenderThrottle, type ThrottleState } from "@lastro/domain/lender"
import { Effect, Layer, Semaphore } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { orDie } from "../database/DatabaseFailure.ts"

/** The state of a throttle as stored, with the time of the database and the version of the row. */
interface Stored extends ThrottleState {
  readonly at: number
  readonly version: string
}

/**
 * Stores the state of the throttle of each lender in one row, so that all nodes together keep its limits. The rules of
 * the domain decide with the clock of the database. The new state is written only if no other node has written since
 * the read. Otherwise, the node reads and decides again. The version is `xmin`, the transaction that last wrote the
 * row, so that it also changes when a node of an earlier version writes.
 */
export const layer: Layer.Layer<LenderThrottle, never, SqlClient.SqlClient> = Layer.effect(
  LenderThrottle,
  Effect.map(SqlClient.SqlClient, (sql) => {
    /** The turns of the requests of this node. Only requests of different nodes can therefore conflict. */
    const turns = new Map<string, Semaphore.Semaphore>()
    const turnOf = (lender: string) => {
      const turn = turns.get(lender) ?? Semaphore.makeUnsafe(1)
      turns.set(lender, turn)
      return turn
    }

    const read = (lender: string) =>
      sql<Stored>`
        select interval_ms, next_at, last_at, calls, waiting, lanes, served, xmin::text as version,
          floor(extract(epoch from clock_timestamp()) * 1000)::float8 as at
        from lender_throttle where lender = ${lender}`

    const write = (
      lender: string,
      version: string,
      { calls, interval_ms, lanes = [], last_at, next_at, served = [], waiting }: ThrottleState
    ) =>
      sql`
        update lender_throttle set
          interval_ms = ${interval_ms}::float8, next_at = ${next_at}::float8, last_at = ${last_at}::float8,
          calls = ${JSON.stringify(calls)}::jsonb, waiting = ${JSON.stringify(waiting)}::jsonb,
          lanes = ${JSON.stringify(lanes)}::jsonb, served = ${JSON.stringify(served)}::jsonb
        where lender = ${lender} and xmin = ${version}::text::xid returning lender`

    /** Replaces the state by the one that `decide` returns, and returns the answer of `decide`. */
    const change = <A>(lender: string, decide: (stored: Stored) => readonly [ThrottleState, A]) =>
      Effect.gen(function*() {
        for (;;) {
          const [stored] = yield* read(lender)
          if (stored === undefined) {
            yield* sql`insert into lender_throttle (lender) values (${lender}) on conflict do nothing`
            continue
          }
          const [state, answer] = decide(stored)
          const written = yield* write(lender, stored.version, state)
          if (written.length > 0) return answer
        }
      }).pipe(turnOf(lender).withPermit)

    return LenderThrottle.of({
      enter: Effect.fn("LenderThrottle.enter")((request, limits) =>
        orDie(change(request.lender, (stored) => {
          const call = randomUUID()
          return judgeEntry(stored, { at: stored.at, call, limits, request })
        }))
      ),
      leave: Effect.fn("LenderThrottle.leave")((lender, call) =>
        Effect.ignoreCause(change(lender, (stored) => [leaveThrottle(stored, call), undefined]))
      )
    })
  })
)
