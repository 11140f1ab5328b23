import { Effect } from "effect"
import { type SqlClient } from "effect/sql"

/** Counts what is in every partner's subtree at once: what is in its parts, regions and single partners. */
export const countSubtrees = Effect.fn("countSubtrees")((sql: SqlClient.SqlClient) =>
  sql`
    insert into subtree_count (partner_id, partners, users, proposals)
    with
      users as (select partner_id, count(*) as users from app_user where deleted_at is null group by partner_id),
      proposals as (select partner_id, count(*) as proposals from proposal group by partner_id),
      single as (
        select partner.id, partner.region_id, (partner.deleted_at is null)::int as partners,
          coalesce(users.users, 0) as users, coalesce(proposals.proposals, 0) as proposals
        from partner
        left join users on users.partner_id = partner.id
        left join proposals on proposals.partner_id = partner.id
      ),
      whole as (
        select region_id, sum(partners) as partners, sum(users) as users, sum(proposals) as proposals
        from single group by region_id
      ),
      part as (
        select top_id, partners, users, proposals from subtree_partner join single on single.id = partner_id
        union all
        select top_id, partners, users, proposals from subtree_region join whole using (region_id)
      )
    select top_id, sum(partners), sum(users), sum(proposals) from part group by top_id`
)
