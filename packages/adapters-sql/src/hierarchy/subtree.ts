import { type PartnerId, type Scope } from "@lastro/domain"
import { type SqlClient } from "effect/sql"
import { type Fragment } from "effect/sql/Statement"

/** Where a partner lies, in SQL: its id and its region's, each a column or a value. */
export interface Place {
  readonly id: Fragment
  readonly region: Fragment
}

/** The place of a partner of which only the id is at hand. */
export const placeOf = (sql: SqlClient.SqlClient, id: Fragment): Place => ({
  id,
  region: sql`(select region_id from partner where id = ${id})`
})

/** A partner's `root_id` and `region_id`, as two values of a row that is inserted and belongs to the partner. */
export const rootAndRegion = (sql: SqlClient.SqlClient, id: PartnerId): Fragment =>
  sql`(select root_id from partner where id = ${id}), (select region_id from partner where id = ${id})`

/** The place of the partner that `item` is or belongs to; `item` holds its region too. */
export const placeOfItem = (sql: SqlClient.SqlClient, owner: "id" | "partner_id"): Place => ({
  id: sql.literal(`item.${owner}`),
  region: sql.literal("item.region_id")
})

/**
 * The subtree below `top`, an expression for a partner's id, as SQL. Every query that is bound by a hierarchy gets its
 * bound from here. A partner lies in the subtree exactly if its region does as a whole, or it is one of those that the
 * subtree counts singly. Each form names the top and nothing else, however many partners are below.
 */
export const subtree = (sql: SqlClient.SqlClient, top: Fragment) => ({
  /** Whether a partner lies in the subtree, looked up for one row after the other. */
  holds: ({ id, region }: Place): Fragment =>
    sql`(
      exists (select from subtree_region part where part.top_id = ${top} and part.region_id = ${region})
      or exists (select from subtree_partner part where part.top_id = ${top} and part.partner_id = ${id})
    )`,
  /** The same, looked up in hash tables of all parts, made at the first row; `top` must be the same for all. */
  holdsHashed: ({ id, region }: Place): Fragment =>
    sql`(
      ${region} in (select region_id from subtree_region where top_id = ${top})
      or ${id} in (select partner_id from subtree_partner where top_id = ${top})
    )`
})

/** The subtree that a scope bounds, as SQL; its partner's id is a parameter. */
export const scoped = (sql: SqlClient.SqlClient, scope: Scope | PartnerId) =>
  subtree(sql, sql`${typeof scope === "string" ? scope : scope.partner_id}::uuid`)

/** The partners above a partner and itself, as a subquery with the column `top_id`. */
export const ancestors = (sql: SqlClient.SqlClient, { id, region }: Place): Fragment =>
  sql`(
    select top_id from subtree_region where region_id = ${region}
    union all select top_id from subtree_partner where partner_id = ${id}
  )`
