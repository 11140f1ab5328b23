import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { locks } from "./locks.ts"

/** Changes folded in one transaction at most, so that each is short. */
const batch = 5_000

/**
 * Brings counted changes that writers appended into the counts of every ancestor, and tells how many: 0 when there are
 * none, and while another node folds or a subtree moves. Readers add what is not folded yet, so totals stay exact.
 */
export const foldCounts = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  return yield* sql.withTransaction(Effect.gen(function*() {
    const [lock] = yield* locks(sql).attempt("counts", "fold")
    if (lock?.taken !== true) return 0
    const [folded] = yield* sql<{ readonly changes: number }>`
      with taken as (
        delete from subtree_count_delta
        where id in (select id from subtree_count_delta order by id limit ${batch})
        returning partner_id, partners, users, proposals
      ),
      sums as (
        select above.ancestor_id, sum(taken.partners) as partners, sum(taken.users) as users,
          sum(taken.proposals) as proposals
        from taken join partner_closure above on above.descendant_id = taken.partner_id
        group by above.ancestor_id
      ),
      folded as (
        update subtree_count set
          partners = subtree_count.partners + sums.partners,
          users = subtree_count.users + sums.users,
          proposals = subtree_count.proposals + sums.proposals
        from sums where subtree_count.partner_id = sums.ancestor_id
      )
      select count(*)::int as changes from taken`
    return folded?.changes ?? 0
  }))
}).pipe(Effect.withSpan("foldCounts"))
