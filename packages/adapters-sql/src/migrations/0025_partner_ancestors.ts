import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { createIndexes } from "./indexes.ts"

/** The index that finds the deleted partners of a region. */
export const deletedPartners = createIndexes({
  partner_region_deleted: "on partner (region_id) where deleted_at is not null"
})

/**
 * Adds the view `partner_ancestor`: one row for each partner and each of its ancestors, the partner itself included.
 * Hosts join this view, so its columns are public. A migration that changes its tables recreates the view with the same
 * columns. Live and deleted partners are separate branches, so that each uses an index of its own.
 */
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.all(deletedPartners, { discard: true })
  yield* sql`
    create view partner_ancestor (partner_id, ancestor_id) as
      select partner.id, part.top_id from subtree_region part join partner on partner.region_id = part.region_id
      where partner.deleted_at is null
    union all
      select partner.id, part.top_id from subtree_region part join partner on partner.region_id = part.region_id
      where partner.deleted_at is not null
    union all
      select part.partner_id, part.top_id from subtree_partner part`
})
