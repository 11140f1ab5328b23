import { type PartnerId } from "@lastro/domain/values"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { RegionSize, usersPerRegionPartner } from "./cutRegions.ts"

/**
 * Divides trees into regions, connected parts with one partner at the top. Works upwards from the leaves. For each
 * partner, counts the partner and those of its descendants that have no region yet. If the count exceeds `size`, the
 * partner becomes the top of a region of all of them. Roots and the partners in `crowded` always become tops.
 *
 * So a partner that is not a top has fewer than `size` descendants in its region. Apart from the regions of roots and
 * of `crowded`, there is at most one region per `size` partners.
 *
 * `parents[i]` is the index of the parent of partner `i`, or -1 for a root. Parents come before their children. Returns
 * the index of the top of the region of each partner.
 */
export const cutTree = (
  parents: Int32Array,
  size: number,
  crowded: ReadonlySet<number> = new Set()
): Int32Array => {
  const counted = new Int32Array(parents.length).fill(1)
  const regions = new Int32Array(parents.length).fill(-1)
  for (let index = parents.length - 1; index >= 0; index--) {
    const parent = parents[index] ?? -1
    const count = counted[index] ?? 0
    if (parent < 0 || count > size || crowded.has(index)) regions[index] = index
    else counted[parent] = (counted[parent] ?? 0) + count
  }
  for (let index = 0; index < parents.length; index++) {
    if ((regions[index] ?? -1) < 0) regions[index] = regions[parents[index] ?? -1] ?? -1
  }
  return regions
}

/** Writes the index of all subtrees from the parent and the region of each partner. Requires empty index tables. */
const indexParts = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
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

interface Row {
  readonly id: PartnerId
  readonly parent_id: PartnerId | null
}

/**
 * Divides all trees into regions, writes the index, and copies the region of each partner to its users and proposals.
 */
export const fillRegions = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const partners = yield* sql<Row>`
    with recursive down (id, parent_id, level) as (
      select id, parent_id, 0 from partner where parent_id is null
      union all
      select partner.id, partner.parent_id, down.level + 1 from partner join down on partner.parent_id = down.id
    )
    select id, parent_id from down order by level`
  const indexes = new Map(partners.map(({ id }, index) => [id, index]))
  const parents = Int32Array.from(partners, ({ parent_id }) => parent_id === null ? -1 : indexes.get(parent_id) ?? -1)
  const size = yield* RegionSize
  const crowded = yield* sql<{ readonly id: PartnerId }>`
    select partner_id as id from app_user where deleted_at is null
    group by partner_id having count(*) > ${usersPerRegionPartner * size}`
  const regions = cutTree(parents, size, new Set(crowded.map(({ id }) => indexes.get(id) ?? -1)))
  yield* sql`
    update partner set region_id = cut.region_id
    from unnest(
      ${partners.map(({ id }) => id)}::uuid[], ${Array.from(regions, (top) => partners[top]?.id ?? "")}::uuid[]
    ) cut (id, region_id)
    where partner.id = cut.id`
  yield* indexParts(sql)
  yield* sql`
    update app_user set region_id = partner.region_id from partner
    where partner.id = app_user.partner_id`
  yield* sql`
    update proposal set region_id = partner.region_id from partner
    where partner.id = proposal.partner_id`
}).pipe(Effect.withSpan("fillRegions"))
