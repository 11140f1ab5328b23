import { type PartnerId } from "@lastro/domain"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { cutTree } from "./cutTree.ts"
import { indexParts } from "./indexParts.ts"
import { RegionSize, usersForEach } from "./RegionSize.ts"

interface Row {
  readonly id: PartnerId
  readonly parent_id: PartnerId | null
}

/** Cuts all trees into regions where there are none yet, and gives every record that has a partner the partner's region. */
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
    group by partner_id having count(*) > ${usersForEach * size}`
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
