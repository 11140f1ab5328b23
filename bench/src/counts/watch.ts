import { asOperator } from "@lastro/domain/hierarchy"
import { UserRepository } from "@lastro/domain/user"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type Side } from "./Side.ts"

/** The results of the reader that compares totals while users are inserted. */
export interface Watched {
  /** Number of comparisons between the total of a list and the number of users. */
  snapshots: number
  /** Number of comparisons in which the total and the number of users differed. */
  wrong: number
  /** Maximum number of pending changes at any comparison. */
  unfolded: number
}

const newest = {
  filters: {},
  page: { number: 0, size: 20 },
  sort: [{ property: "created_at", direction: "desc" }]
} as const

const compare = ({ root, sql }: Side, watched: Watched) =>
  sql.withTransaction(Effect.gen(function*() {
    const { total } = yield* (yield* UserRepository).list(asOperator.scope(root), newest)
    const [row] = yield* sql<{ readonly users: number; readonly unfolded: number }>`
      select count(*)::int as users, (select count(*)::int from subtree_count_delta) as unfolded
      from app_user where root_id = ${root} and deleted_at is null`
    watched.snapshots += 1
    if (row?.users !== total) watched.wrong += 1
    watched.unfolded = Math.max(watched.unfolded, row?.unfolded ?? 0)
  })).pipe(Effect.provideService(SqlClient.BeginTransaction, "begin isolation level repeatable read read only"))

/**
 * Compares the total of the unfiltered list with the number of users, ten times per second, until interrupted. Each
 * comparison uses one snapshot.
 */
export const watch = (one: Side, watched: Watched) =>
  Effect.forever(Effect.andThen(one.run(compare(one, watched)), Effect.sleep("100 millis")))
