import { type PartnerId } from "@lastro/domain"
import { Effect } from "effect"
import { type SqlClient } from "effect/sql"
import { locks } from "./locks.ts"

/**
 * Hangs a partner with its subtree below another parent of the same tree: the link, the index and the folded counts of
 * the ancestors it leaves and gets. Counts that are not folded yet follow the index by themselves, and nothing is folded
 * while the move lasts. Belongs in a transaction that holds the tree exclusively.
 */
export const movePartner = Effect.fnUntraced(function*(
  sql: SqlClient.SqlClient,
  partner: PartnerId,
  parent: PartnerId
) {
  yield* locks(sql).exclusive("counts", "fold")
  const linked = yield* sql`
    update partner set parent_id = ${parent}
    where id = ${partner} and root_id = (select root_id from partner where id = ${parent})
    returning id`
  if (linked.length === 0) return yield* Effect.die(new Error("A partner is moved within its own tree only"))
  // Ancestors of the old and the new place alike keep their rows and counts.
  yield* sql`
    with moved as (
      select partners, users, proposals from subtree_count where partner_id = ${partner}
    ),
    above as (
      select
        coalesce(old.ancestor_id, new.ancestor_id) as ancestor_id,
        old.ancestor_id is null as gained,
        new.ancestor_id is null as lost
      from (
        select ancestor_id from partner_closure where descendant_id = ${partner} and ancestor_id <> ${partner}
      ) old
      full join (select ancestor_id from partner_closure where descendant_id = ${parent}) new
        on new.ancestor_id = old.ancestor_id
    ),
    counted as (
      update subtree_count set
        partners = subtree_count.partners + case when gained then moved.partners else -moved.partners end,
        users = subtree_count.users + case when gained then moved.users else -moved.users end,
        proposals = subtree_count.proposals + case when gained then moved.proposals else -moved.proposals end
      from above, moved
      where subtree_count.partner_id = above.ancestor_id and (gained or lost)
    ),
    below as (
      select descendant_id from partner_closure where ancestor_id = ${partner}
    ),
    left_behind as (
      delete from partner_closure using above, below
      where above.lost and partner_closure.ancestor_id = above.ancestor_id
        and partner_closure.descendant_id = below.descendant_id
    )
    insert into partner_closure (ancestor_id, descendant_id)
    select above.ancestor_id, below.descendant_id from above, below where above.gained`
})
