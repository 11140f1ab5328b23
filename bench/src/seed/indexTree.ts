import { Effect } from "effect"
import { type SqlClient } from "effect/sql"

/** Computes the hierarchy index and the counts of every partner at once. */
export const indexTree = Effect.fn("indexTree")(function*(sql: SqlClient.SqlClient) {
  yield* sql`
    insert into partner_closure (ancestor_id, descendant_id)
    with recursive up (ancestor_id, descendant_id) as (
      select id, id from partner
      union all
      select partner.parent_id, up.descendant_id from up join partner on partner.id = up.ancestor_id
      where partner.parent_id is not null
    )
    select ancestor_id, descendant_id from up order by ancestor_id, descendant_id`
  yield* sql`
    insert into subtree_count (partner_id, partners, users)
    with own as (
      select partner_id, count(*) as users from app_user where deleted_at is null group by partner_id
    )
    select above.ancestor_id, count(*) filter (where partner.deleted_at is null), coalesce(sum(own.users), 0)
    from partner_closure above
    join partner on partner.id = above.descendant_id
    left join own on own.partner_id = above.descendant_id
    group by above.ancestor_id`
})
