import { type PartnerId } from "@lastro/domain"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { locks } from "./locks.ts"
import { cutGrownRegions } from "./regions/cutRegions.ts"
import { ancestors } from "./scoped.ts"

/** Changes folded in one transaction at most, so that each is short. */
const batch = 5_000

/** What was folded: how many changes, and the partners that were added. */
interface Folded {
  readonly changes: number
  readonly added: ReadonlyArray<PartnerId>
}

const fold = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  const [lock] = yield* locks(sql).attempt("counts", "fold")
  if (lock?.taken !== true) return
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
    select (select count(*)::int from taken) as changes, array(select partner_id from own where partners > 0) as added`
  return folded
})

/**
 * Brings counted changes that writers appended into the counts of every ancestor, and tells how many: 0 when there are
 * none, and while another node folds or a subtree moves. Readers add what is not folded yet, so totals stay exact. Then
 * cuts the regions that have grown too large by the partners that were added.
 */
export const foldCounts = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const folded = yield* sql.withTransaction(fold(sql))
  if (folded === undefined) return 0
  if (folded.added.length > 0) yield* cutGrownRegions(sql, folded.added)
  return folded.changes
}).pipe(Effect.withSpan("foldCounts"))
