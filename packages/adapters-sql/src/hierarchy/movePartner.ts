import { type PartnerId } from "@lastro/domain/values"
import { Effect } from "effect"
import { type SqlClient } from "effect/sql"
import { locks } from "../database/locks.ts"
import { eachCount } from "./countColumns.ts"
import { cutRegions } from "./cutRegions.ts"
import { ancestors, locationOf } from "./subtree.ts"

/**
 * Moves a partner with its subtree below another parent of the same tree. Updates the parent, the index, and the stored
 * counts of the old and new ancestors. Whole regions keep their id. Partners of the subtree that are in the moved
 * partner's own region join the region of the new parent. Requires the exclusive lock of the tree.
 *
 * Pending count changes need no update: `foldCounts` later adds them to the ancestors of that time. A lock prevents it
 * from running during the move.
 */
export const movePartner = Effect.fnUntraced(function*(
  sql: SqlClient.SqlClient,
  partner: PartnerId,
  parent: PartnerId
) {
  yield* locks(sql).exclusive("counts", "fold")
  const linked = yield* sql`
    update partner set parent_id = ${parent}, moves = moves + 1
    where id = ${partner} and root_id = (select root_id from partner where id = ${parent})
    returning id`
  if (linked.length === 0) return yield* Effect.die(new Error("A partner can only be moved within its own tree"))
  const above = (id: PartnerId) =>
    sql`
      select above.top_id, singly.top_id is not null as singly
      from ${ancestors(sql, locationOf(sql, sql`${id}::uuid`))} above
      left join subtree_partner singly on singly.top_id = above.top_id and singly.partner_id = ${id}`
  // `singly` is true if an ancestor lists the partner individually, and not as part of a region. An ancestor that lists
  // the new parent individually must also list the partners that join its region. The counts change only for ancestors
  // of one of the two parents, which are `lost` or `gained`.
  yield* sql`
    with moved as (
      select ${sql.literal(eachCount((column) => column))} from subtree_count where partner_id = ${partner}
    ),
    region as materialized (
      select region_id from subtree_region where top_id = ${partner}
    ),
    single as materialized (
      select partner_id from subtree_partner where top_id = ${partner}
    ),
    ancestor as materialized (
      select
        coalesce(old.top_id, new.top_id) as top_id,
        old.top_id is null as gained,
        new.top_id is null as lost,
        coalesce(new.singly, false) and not coalesce(old.singly, false) as gained_singly,
        coalesce(old.singly, false) and not coalesce(new.singly, false) as lost_singly
      from (${above(partner)} where above.top_id <> ${partner}) old
      full join (${above(parent)}) new on new.top_id = old.top_id
    ),
    counted as (
      update subtree_count set ${
    sql.literal(
      eachCount((column) =>
        `${column} = subtree_count.${column} + case when gained then moved.${column} else -moved.${column} end`
      )
    )
  }
      from ancestor, moved
      where subtree_count.partner_id = ancestor.top_id and (gained or lost)
    ),
    left_whole as (
      delete from subtree_region using ancestor, region
      where ancestor.lost and subtree_region.top_id = ancestor.top_id and subtree_region.region_id = region.region_id
    ),
    left_singly as (
      delete from subtree_partner using ancestor, single
      where ancestor.lost_singly and subtree_partner.top_id = ancestor.top_id
        and subtree_partner.partner_id = single.partner_id
    ),
    got_whole as (
      insert into subtree_region (top_id, region_id)
      select ancestor.top_id, region.region_id from ancestor, region where ancestor.gained
    ),
    got_singly as (
      insert into subtree_partner (top_id, partner_id)
      select ancestor.top_id, single.partner_id from ancestor, single where ancestor.gained_singly
    ),
    joining as materialized (
      select new.region_id, array(select partner_id from single) as partners
      from partner new join partner old on old.id = ${partner} and old.region_id <> new.region_id
      where new.id = ${parent}
    ),
    users as (
      update app_user set region_id = joining.region_id from joining
      where app_user.partner_id = any(joining.partners) and app_user.deleted_at is null
    ),
    proposals as (
      update proposal set region_id = joining.region_id from joining where proposal.partner_id = any(joining.partners)
    ),
    applications as (
      update application set region_id = joining.region_id from joining
      where application.partner_id = any(joining.partners)
    )
    update partner set region_id = joining.region_id from joining where partner.id = any(joining.partners)`
  yield* cutRegions(sql, [partner])
})
