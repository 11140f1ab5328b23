import { type PartnerId } from "@lastro/domain/values"
import { Context, Effect } from "effect"
import { type SqlClient } from "effect/sql"
import { type SqlError } from "effect/sql/SqlError"
import { locks } from "../database/locks.ts"

/**
 * Target number of partners in a region, a connected part of the partner tree. Larger regions slow down moves and lists
 * of small subtrees. Smaller ones slow down lists of large subtrees. Default: 32.
 */
export const RegionSize = Context.Reference<number>("@lastro/adapters-sql/hierarchy/RegionSize", {
  defaultValue: () => 32
})

/**
 * Limits the users below a partner that is not the top of a region: at most this number times {@link RegionSize}. A
 * partner with more users becomes the top of a region. This keeps moves short: if a partner that is not a top moves to
 * another region, the row of every user in its subtree is rewritten.
 */
export const usersPerRegionPartner = 64

/**
 * Finds the partners that must become the top of a new region. The partners with the smaller subtrees come first, so
 * descendants come before their ancestors. A partner is selected in two cases:
 * - Its subtree includes one of `partners`, and lists more than twice the region size of partners individually
 *   (`subtree_partner`).
 * - It is one of `partners`, and its subtree has more users than {@link usersPerRegionPartner} allows.
 */
const findOvergrown = Effect.fnUntraced(function*(sql: SqlClient.SqlClient, partners: ReadonlyArray<PartnerId>) {
  const size = yield* RegionSize
  return yield* sql<{ readonly id: PartnerId; readonly root_id: PartnerId }>`
    select partner.id, partner.root_id
    from (
      select top_id, count(*) as partners from subtree_partner
      where top_id in (select top_id from subtree_partner where partner_id = any(${partners}::uuid[]))
      group by top_id
    ) large
    join partner on partner.id = large.top_id
    join subtree_count on subtree_count.partner_id = large.top_id
    where large.partners > ${2 * size}
      or subtree_count.users > ${usersPerRegionPartner * size} and partner.id = any(${partners}::uuid[])
    order by large.partners, partner.id`
})

/** Makes a partner the top of a new region. The region contains all partners that its subtree lists individually. */
const cutRegion = (sql: SqlClient.SqlClient, top: PartnerId) =>
  sql`
    with region as materialized (
      select partner_id from subtree_partner where top_id = ${top}
    ),
    above as materialized (
      select top_id from subtree_partner where partner_id = ${top}
    ),
    as_whole as (
      insert into subtree_region (top_id, region_id)
      select top_id, ${top}::uuid from above
      union all
      select top_id, ${top}::uuid from subtree_region
      where region_id = (select region_id from partner where id = ${top})
    ),
    one_by_one as (
      delete from subtree_partner using region, above
      where subtree_partner.partner_id = region.partner_id and subtree_partner.top_id = above.top_id
    ),
    users as (
      update app_user set region_id = ${top} from region
      where app_user.partner_id = region.partner_id and app_user.deleted_at is null
    ),
    proposals as (
      update proposal set region_id = ${top} from region where proposal.partner_id = region.partner_id
    ),
    applications as (
      update application set region_id = ${top} from region where application.partner_id = region.partner_id
    )
    update partner set region_id = ${top} from region where partner.id = region.partner_id`

/**
 * Makes a partner the top of a region, unless it has become unnecessary: after a descendant became a top, the subtree
 * lists fewer partners individually.
 */
const cutIfOvergrown = Effect.fnUntraced(function*(sql: SqlClient.SqlClient, top: PartnerId) {
  const overgrown = yield* findOvergrown(sql, [top])
  if (overgrown.some(({ id }) => id === top)) yield* cutRegion(sql, top)
})

/** Splits the regions that the addition of these partners made too large. Requires the exclusive lock of the tree. */
export const cutRegions = Effect.fnUntraced(function*(
  sql: SqlClient.SqlClient,
  partners: ReadonlyArray<PartnerId>
): Effect.fn.Return<void, SqlError> {
  for (const { id } of yield* findOvergrown(sql, partners)) yield* cutIfOvergrown(sql, id)
})

/**
 * Splits the regions that the addition of these partners made too large. Each split is its own transaction, so it locks
 * a tree only briefly.
 */
export const cutGrownRegions = Effect.fnUntraced(function*(
  sql: SqlClient.SqlClient,
  partners: ReadonlyArray<PartnerId>
): Effect.fn.Return<void, SqlError> {
  for (const { id, root_id } of yield* findOvergrown(sql, partners)) {
    yield* sql.withTransaction(Effect.andThen(locks(sql).exclusive("tree", root_id), cutIfOvergrown(sql, id)))
  }
})
