import { type PartnerId } from "@lastro/domain/values"
import { Deferred, Effect, Exit, Latch, type Scope } from "effect"
import { type SqlClient } from "effect/sql"
import { type Constructor, type Fragment } from "effect/sql/Statement"
import { orDie } from "../database/DatabaseFailure.ts"
import { precompileStatement } from "../database/postgres/statements.ts"

/**
 * Selects whether a tree has committed events without a sequence. `exists` would be slow: PostgreSQL would scan the
 * whole table if most events had no sequence at its last `analyze`.
 */
export const isUnnumbered = (sql: Constructor, root: Fragment): Fragment =>
  sql`(
    select event.position from event where event.root_id = ${root} and event.sequence is null
    order by event.position limit 1
  ) is not null`

interface Waiting {
  readonly root: PartnerId
  readonly after: number
  readonly arrived: Deferred.Deferred<void>
}

/** Milliseconds between two queries for events that other processes have committed. */
const tickMs = 250

/**
 * Returns the pause after a query. `ended` is the number of waits that it has ended, each of which then reads the feed.
 * The pause is 10 ms per wait, at least 10 ms and at most 250 ms. So it limits the reads of a node whose trees change
 * all the time.
 */
export const pauseAfterMs = (ended: number): number => Math.min(10 * Math.max(ended, 1), tickMs)

interface Arrivals {
  /** Completes when the tree may have a committed event after the sequence. */
  readonly wait: (root: PartnerId, after: number) => Effect.Effect<void>
  /** Starts a query as soon as the pause after the last one is over. Call it after a commit. */
  readonly nudge: () => void
  readonly isAwaited: () => boolean
}

/**
 * Waits for events. One query serves all waits of this node. It runs after a commit of this node, and every 250 ms.
 * Writers send no NOTIFY in their transactions, because PostgreSQL lets only one transaction with a NOTIFY commit at a
 * time.
 */
export const makeEventArrivals = Effect.fnUntraced(function*(
  sql: SqlClient.SqlClient
): Effect.fn.Return<Arrivals, never, Scope.Scope> {
  const waiting = new Set<Waiting>()
  const signal = Latch.makeUnsafe()

  const select = precompileStatement(
    sql,
    ["roots"],
    ({ roots }) =>
      sql<{ readonly root: PartnerId; readonly sequence: bigint; readonly unnumbered: boolean }>`
    select wanted.root_id as root, coalesce(head.sequence, 0) as sequence,
      ${isUnnumbered(sql, sql.literal("wanted.root_id"))} as unnumbered
    from unnest(${roots}::uuid[]) wanted (root_id) left join event_head head on head.root_id = wanted.root_id`
  )

  /** Ends the waits whose tree may have a new event. Returns their number. */
  const check = Effect.suspend(() => {
    if (waiting.size === 0) return Effect.succeed(0)
    const roots = [...new Set(Array.from(waiting, ({ root }) => root))]
    return Effect.map(orDie(select({ roots })), (rows) => {
      const rowOf = new Map(rows.map((row) => [row.root, row]))
      const ended = Array.from(waiting).filter(({ after, root }) => {
        const row = rowOf.get(root)
        return row !== undefined && (row.unnumbered || Number(row.sequence) > after)
      })
      for (const { arrived } of ended) Deferred.doneUnsafe(arrived, Exit.void)
      return ended.length
    })
  })
  const pause = Effect.suspend(() =>
    waiting.size === 0 ? signal.await : Effect.raceFirst(signal.await, Effect.sleep(tickMs))
  )
  // A failed query, for example while the database is down, must not end the loop.
  const round = pause.pipe(
    Effect.andThen(signal.close),
    Effect.andThen(Effect.catchCause(check, () => Effect.succeed(0))),
    Effect.flatMap((ended) => Effect.sleep(pauseAfterMs(ended)))
  )
  yield* Effect.forkScoped(Effect.forever(round))

  return {
    wait: (root, after) =>
      Effect.suspend(() => {
        const entry: Waiting = { root, after, arrived: Deferred.makeUnsafe() }
        waiting.add(entry)
        signal.openUnsafe()
        return Effect.ensuring(Deferred.await(entry.arrived), Effect.sync(() => waiting.delete(entry)))
      }),
    nudge: () => signal.openUnsafe(),
    isAwaited: () => waiting.size > 0
  }
})
