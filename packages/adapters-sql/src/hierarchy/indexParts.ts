import { Effect } from "effect"
import { type SqlClient } from "effect/sql"

/** Writes the parts of every subtree at once, from the partners' parents and regions. */
export const indexParts = Effect.fn("indexParts")(function*(sql: SqlClient.SqlClient) {
  yield* sql`
    insert into subtree_region (top_id, region_id)
    with recursive up (top_id, region_id) as (
      select id, id from partner where region_id = id
      union all
      select partner.parent_id, up.region_id from up join partner on partner.id = up.top_id
      where partner.parent_id is not null
    )
    select top_id, region_id from up order by top_id, region_id`
  yield* sql`
    insert into subtree_partner (top_id, partner_id)
    with recursive up (top_id, partner_id, region_id) as (
      select id, id, region_id from partner where region_id <> id
      union all
      select partner.parent_id, up.partner_id, up.region_id from up join partner on partner.id = up.top_id
      where partner.parent_id <> up.region_id
    )
    select top_id, partner_id from up order by top_id, partner_id`
})
