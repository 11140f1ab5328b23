import { type PartnerId } from "@lastro/domain/id"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { locks } from "../database/locks.ts"
import { cutGrownRegions } from "./cutRegions.ts"
import { RegionSize, usersPerRegionPartner } from "./RegionSize.ts"
import { ancestors } from "./subtree.ts"

/** Maximum number of changes per transaction, which keeps transactions short. */
const batchSize = 5_000

interface Folded {
  readonly changes: number
  /** Partners whose region may have outgrown the limit. */
  readonly grown: ReadonlyArray<PartnerId>
}

const fold = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  const [lock] = yield* locks(sql).attempt("counts", "fold")
  if (lock?.taken !== true) return
  const userLimit = usersPerRegionPartner * (yield* RegionSize)
  const location = { id: sql.literal("partner.id"), region: sql.literal("partner.region_id") }
  const [folded] = yield* sql<Folded>`
    with taken as (
      delete from subtree_count_delta
      where id in (select id from subtree_count_delta order by id limit ${batchSize})
      returning partner_id, partners, users, proposals
    ),
    own as (
      select partner_id, sum(partners) as partners, sum(users) as users, sum(proposals) as proposals
      from taken group by partner_id
    ),
    sums as (
      select above.top_id, sum(own.partners) as partners, sum(own.users) as users, sum(own.proposals) as proposals
      from own
      join partner on partner.id = own.partner_id
      cross join lateral ${ancestors(sql, location)} above
      group by above.top_id
    ),
    folded as (
      update subtree_count set
        partners = subtree_count.partners + sums.partners,
        users = subtree_count.users + sums.users,
        proposals = subtree_count.proposals + sums.proposals
      from sums where subtree_count.partner_id = sums.top_id
    )
    select (select count(*)::int from taken) as changes, array(
      select own.partner_id from own
      join partner on partner.id = own.partner_id
      join subtree_count on subtree_count.partner_id = own.partner_id
      where own.partners > 0
        or own.users > 0 and subtree_count.users > ${userLimit} and partner.region_id <> partner.id
    ) as grown`
  return folded
})

/**
 * Adds each pending count change to the stored counts of every ancestor, then splits the regions that have outgrown the
 * limit. Returns the number of changes that were added. Returns 0 if no change is pending, if another node is adding
 * changes or moving a subtree, or if a lock timed out. Queries include the changes that are still pending, so totals
 * are always exact.
 */
export const foldCounts = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const folded = yield* sql.withTransaction(fold(sql))
  if (folded === undefined) return 0
  if (folded.grown.length > 0) yield* cutGrownRegions(sql, folded.grown)
  return folded.changes
}).pipe(
  // A bulk load can lock the tables for minutes. The changes stay pending for a later call.
  Effect.catchIf(({ reason }) => reason._tag === "LockTimeoutError", () => Effect.succeed(0)),
  Effect.withSpan("foldCounts")
)
