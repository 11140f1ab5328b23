import { judgeEntry, leaveThrottle, LenderThrottle, type ThrottleState } from "@lastro/domain/lender"
import { Deferred, Effect, Layer, Option, Semaphore } from "effect"
import { SqlClient } from "effect/sql"
import { type SqlError } from "effect/sql/SqlError"
import { randomUUID } from "node:crypto"
import { orDie } from "../database/DatabaseFailure.ts"

/** The stored state of a throttle, with the time of the database and the version of the row. */
interface Stored extends ThrottleState {
  readonly at: number
  readonly version: string
}

/** The requests of a node that wait for the next change of the state. */
interface Queue {
  readonly waiting: Array<{
    readonly decide: (state: ThrottleState, at: number) => ThrottleState
    readonly done: Deferred.Deferred<void, SqlError>
  }>
  readonly turn: Semaphore.Semaphore
}

/**
 * Stores the throttle of each lender in one row, so that all nodes together keep its limits. The rules of the domain
 * decide, with the clock of the database.
 *
 * A new state is written only if no other node has written since the read; otherwise, the node reads and decides again.
 * Requests of this node that arrive meanwhile are decided together in the next change, so none waits for the others.
 * The version of the row is `xmin`, the transaction that last wrote it. It also changes when an earlier version of
 * Lastro writes.
 */
export const layer: Layer.Layer<LenderThrottle, never, SqlClient.SqlClient> = Layer.effect(
  LenderThrottle,
  Effect.map(SqlClient.SqlClient, (sql) => {
    /** The waiting requests of this node, by lender. */
    const queues = new Map<string, Queue>()
    const queueOf = (lender: string): Queue => {
      const queue = queues.get(lender) ?? { waiting: [], turn: Semaphore.makeUnsafe(1) }
      queues.set(lender, queue)
      return queue
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

    /** Decides all waiting requests in order, and stores the resulting state. */
    const decideAll = (lender: string, { waiting }: Queue) =>
      Effect.gen(function*() {
        const requests = waiting.splice(0)
        if (requests.length === 0) return
        const decideUntilWritten = Effect.gen(function*() {
          for (;;) {
            const [stored] = yield* read(lender)
            if (stored === undefined) {
              yield* sql`insert into lender_throttle (lender) values (${lender}) on conflict do nothing`
              continue
            }
            let state: ThrottleState = stored
            for (const { decide } of requests) state = decide(state, stored.at)
            if ((yield* write(lender, stored.version, state)).length > 0) return
          }
        })
        const exit = yield* Effect.exit(decideUntilWritten)
        for (const { done } of requests) Deferred.doneUnsafe(done, exit)
      })

    /** Changes the state to the one that `decide` returns, and returns the answer of `decide`. */
    const change = <A>(lender: string, decide: (state: ThrottleState, at: number) => readonly [ThrottleState, A]) =>
      Effect.suspend(() => {
        const queue = queueOf(lender)
        const done = Deferred.makeUnsafe<void, SqlError>()
        let answer: Option.Option<A> = Option.none()
        queue.waiting.push({
          done,
          decide: (state, at) => {
            const [next, decided] = decide(state, at)
            answer = Option.some(decided)
            return next
          }
        })
        // Uninterruptible, because this fiber may also decide the requests of other fibers.
        const takeTurn = Effect.uninterruptible(queue.turn.withPermit(decideAll(lender, queue)))
        return Effect.andThen(
          Effect.andThen(takeTurn, Deferred.await(done)),
          Effect.suspend(() => Effect.fromOption(answer).pipe(Effect.orDie))
        )
      })

    return LenderThrottle.of({
      enter: Effect.fn("LenderThrottle.enter")((request, limits) =>
        orDie(change(request.lender, (state, at) => judgeEntry(state, { at, call: randomUUID(), limits, request })))
      ),
      leave: Effect.fn("LenderThrottle.leave")((lender, call) =>
        Effect.ignoreCause(change(lender, (state) => [leaveThrottle(state, call), undefined]))
      )
    })
  })
)
