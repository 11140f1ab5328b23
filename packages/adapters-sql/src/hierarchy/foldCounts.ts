import { addMillis, currentTimestamp, type PartnerId } from "@lastro/domain/values"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { locks } from "../database/locks.ts"
import { withoutTransforms } from "../database/withoutTransforms.ts"
import { changeAtExpiry, eachCount } from "./countColumns.ts"
import { cutGrownRegions, RegionSize, usersPerRegionPartner } from "./cutRegions.ts"
import { ancestors } from "./subtree.ts"

/** Maximum number of changes per transaction. It keeps transactions short. */
const batchSize = 5_000

/**
 * An expiry is added to the stored counts this many milliseconds late. Until then, these counts are still right for a
 * node whose clock is behind.
 */
const expiryMarginMs = 60_000

interface Folded {
  readonly changes: number
  /** Partners whose regions may have become too large. */
  readonly grown: ReadonlyArray<PartnerId>
}

/** Adds a batch of changes to the stored counts. Returns undefined if another node adds changes or moves a subtree. */
const fold = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  const [lock] = yield* locks(sql).attempt("counts", "fold")
  if (lock?.taken !== true) return
  const userLimit = usersPerRegionPartner * (yield* RegionSize)
  const location = { id: sql.literal("partner.id"), region: sql.literal("partner.region_id") }
  const dueUntil = addMillis(yield* currentTimestamp, -expiryMarginMs)
  const [folded] = yield* sql<Folded>`
    with taken as (
      delete from subtree_count_delta
      where id in (select id from subtree_count_delta order by id limit ${batchSize})
      returning partner_id, ${sql.literal(eachCount((column) => column))}
    ),
    due as (
      delete from application_expiry
      where id in (
        select id from application_expiry where due_at <= ${dueUntil} order by due_at, id limit ${batchSize}
      )
      returning partner_id, due_at, applications
    ),
    marked as (
      update application_expiry_fold set folded_until = greatest(folded_until, (select max(due_at) from due))
      where exists (select from due)
    ),
    own as (
      select partner_id, ${sql.literal(eachCount((column) => `sum(${column}) as ${column}`))}
      from (
        select * from taken
        union all
        select partner_id, ${sql.literal(eachCount((column) => changeAtExpiry[column] ?? "0"))} from due
      ) changes group by partner_id
    ),
    sums as (
      select above.top_id, ${sql.literal(eachCount((column) => `sum(own.${column}) as ${column}`))}
      from own
      join partner on partner.id = own.partner_id
      cross join lateral ${ancestors(sql, location)} above
      group by above.top_id
    ),
    folded as (
      update subtree_count set ${
    sql.literal(eachCount((column) => `${column} = subtree_count.${column} + sums.${column}`))
  }
      from sums where subtree_count.partner_id = sums.top_id
    )
    select (select count(*)::int from taken) + (select count(*)::int from due) as changes, array(
      select own.partner_id from own
      join partner on partner.id = own.partner_id
      join subtree_count on subtree_count.partner_id = own.partner_id
      where own.partners > 0
        or own.users > 0 and subtree_count.users > ${userLimit} and partner.region_id <> partner.id
    ) as grown`
  return folded
})

/**
 * Adds pending count changes and expired offers to the stored counts of every ancestor. Then splits the regions that
 * have become too large. Returns the number of changes added. Returns 0 if none is pending, if another node is adding
 * changes or moving a subtree, or if a lock timed out. Queries include pending changes, so totals are always exact.
 */
export const foldCounts = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const folded = yield* sql.withTransaction(fold(sql))
  if (folded === undefined) return 0
  if (folded.grown.length > 0) yield* cutGrownRegions(sql, folded.grown)
  return folded.changes
}).pipe(
  // A bulk load can lock the tables for minutes. The changes stay pending for a later run.
  Effect.catchIf(({ reason }) => reason._tag === "LockTimeoutError", () => Effect.succeed(0)),
  withoutTransforms,
  Effect.withSpan("foldCounts")
)
