import { type PartnerId } from "@lastro/domain"
import { Effect } from "effect"
import { type SqlClient } from "effect/sql"
import { type SqlError } from "effect/sql/SqlError"
import { locks } from "../locks.ts"
import { RegionSize } from "./RegionSize.ts"

/**
 * Of the subtrees that count one of these partners singly, the smallest that counts more than twice a region's size; with
 * the root of its tree.
 */
const overgrown = Effect.fnUntraced(function*(sql: SqlClient.SqlClient, partners: ReadonlyArray<PartnerId>) {
  const limit = 2 * (yield* RegionSize)
  const [top] = yield* sql<{ readonly id: PartnerId; readonly root_id: PartnerId }>`
    select partner.id, partner.root_id
    from (
      select top_id, count(*) as partners from subtree_partner
      where top_id in (select top_id from subtree_partner where partner_id = any(${partners}::uuid[]))
      group by top_id having count(*) > ${limit}
    ) large join partner on partner.id = large.top_id
    order by large.partners, partner.id limit 1`
  return top
})

/** Makes a partner the top of a region of its own, of all that its subtree counted singly. */
const cut = (sql: SqlClient.SqlClient, top: PartnerId) =>
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
    )
    update partner set region_id = ${top} from region where partner.id = region.partner_id`

/**
 * Cuts regions until no subtree that counts one of these partners singly is overgrown. Belongs in a transaction that
 * holds the tree exclusively.
 */
export const cutRegions = Effect.fn("cutRegions")(function*(
  sql: SqlClient.SqlClient,
  partners: ReadonlyArray<PartnerId>
): Effect.fn.Return<void, SqlError> {
  for (let top = yield* overgrown(sql, partners); top !== undefined; top = yield* overgrown(sql, partners)) {
    yield* cut(sql, top.id)
  }
})

/** The same, tree by tree, each in a transaction of its own that holds the tree. */
export const cutGrownRegions = Effect.fn("cutGrownRegions")(function*(
  sql: SqlClient.SqlClient,
  partners: ReadonlyArray<PartnerId>
): Effect.fn.Return<void, SqlError> {
  for (let top = yield* overgrown(sql, partners); top !== undefined; top = yield* overgrown(sql, partners)) {
    const { root_id } = top
    yield* sql.withTransaction(Effect.gen(function*() {
      yield* locks(sql).exclusive("tree", root_id)
      const ofTree = yield* sql<{ readonly id: PartnerId }>`
        select id from partner where id = any(${partners}::uuid[]) and root_id = ${root_id}`
      yield* cutRegions(sql, ofTree.map(({ id }) => id))
    }))
  }
})
