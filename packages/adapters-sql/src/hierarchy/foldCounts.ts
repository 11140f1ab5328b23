import { type PartnerId } from "@lastro/domain"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { locks } from "../database/locks.ts"
import { cutGrownRegions } from "./cutRegions.ts"
import { RegionSize, usersForEach } from "./RegionSize.ts"
import { ancestors } from "./subtree.ts"

/** Changes folded in one transaction at most, so that each is short. */
const batch = 5_000

/** What was folded: how many changes, and by which partners regions may have grown. */
interface Folded {
  readonly changes: number
  readonly grown: ReadonlyArray<PartnerId>
}

const fold = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  const [lock] = yield* locks(sql).attempt("counts", "fold")
  if (lock?.taken !== true) return
  const crowd = usersForEach * (yield* RegionSize)
  const place = { id: sql.literal("partner.id"), region: sql.literal("partner.region_id") }
  const [folded] = yield* sql<Folded>`
    with taken as (
      delete from subtree_count_delta
      where id in (select id from subtree_count_delta order by id limit ${batch})
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
      cross join lateral ${ancestors(sql, place)} above
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
        or own.users > 0 and subtree_count.users > ${crowd} and partner.region_id <> partner.id
    ) as grown`
  return folded
})

/**
 * Brings counted changes that writers appended into the counts of every ancestor, and tells how many: 0 when there are
 * none, while another node folds or a subtree moves, and when somebody else holds what it needs for longer than a lock is
 * waited for. Readers add what is not folded yet, so totals stay exact. Then cuts the regions that have grown too large by
 * what was added.
 */
export const foldCounts = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const folded = yield* sql.withTransaction(fold(sql))
  if (folded === undefined) return 0
  if (folded.grown.length > 0) yield* cutGrownRegions(sql, folded.grown)
  return folded.changes
}).pipe(
  // Somebody holds what is needed, a seed all of it for minutes: what was left is done in a later round.
  Effect.catchIf(({ reason }) => reason._tag === "LockTimeoutError", () => Effect.succeed(0)),
  Effect.withSpan("foldCounts")
)
