import { type FoundRecord, sealFound, type SubtreeScope } from "@lastro/domain/hierarchy"
import { type PartnerId } from "@lastro/domain/id"
import { Array as Arr, Option } from "effect"
import { type SqlClient } from "effect/sql"
import { type Fragment } from "effect/sql/Statement"

/** SQL expressions (columns or values) for a partner's id and its region. */
interface PartnerLocation {
  readonly id: Fragment
  readonly region: Fragment
}

/** The location of a partner given by its id; the region is read in a subquery. */
export const locationOf = (sql: SqlClient.SqlClient, id: Fragment): PartnerLocation => ({
  id,
  region: sql`(select region_id from partner where id = ${id})`
})

/** The location of the partner that `item` is, or belongs to. `item` has a column `region_id`. */
export const locationOfItem = (sql: SqlClient.SqlClient, owner: "id" | "partner_id"): PartnerLocation => ({
  id: sql.literal(`item.${owner}`),
  region: sql.literal("item.region_id")
})

/** A partner's `root_id` and `region_id`: two values for a row that is inserted for the partner. */
export const rootAndRegion = (sql: SqlClient.SqlClient, id: PartnerId): Fragment =>
  sql`(select root_id from partner where id = ${id}), (select region_id from partner where id = ${id})`

/**
 * Conditions on the subtree of `top`, an expression for a partner's id. Every query that is limited to a subtree uses
 * them. A partner is in the subtree if its whole region is (`subtree_region`) or if the partner is listed individually
 * (`subtree_partner`). Each condition binds `top` and nothing else, whatever the size of the subtree.
 */
export const subtree = (sql: SqlClient.SqlClient, top: Fragment) => ({
  /** Whether a partner is in the subtree, by index lookups for each row. */
  contains: ({ id, region }: PartnerLocation): Fragment =>
    sql`(
      exists (select from subtree_region part where part.top_id = ${top} and part.region_id = ${region})
      or exists (select from subtree_partner part where part.top_id = ${top} and part.partner_id = ${id})
    )`,
  /** The same condition by hash lookups. The hash tables are built at the first row, so `top` must not depend on the row. */
  containsHashed: ({ id, region }: PartnerLocation): Fragment =>
    sql`(
      ${region} in (select region_id from subtree_region where top_id = ${top})
      or ${id} in (select partner_id from subtree_partner where top_id = ${top})
    )`
})

/** Conditions on the subtree of a scope; its partner's id is a bound parameter. */
export const subtreeOf = (sql: SqlClient.SqlClient, scope: SubtreeScope | PartnerId) =>
  subtree(sql, sql`${typeof scope === "string" ? scope : scope.partner_id}::uuid`)

/** The ancestors of a partner and the partner itself: a subquery with the column `top_id`. */
export const ancestors = (sql: SqlClient.SqlClient, { id, region }: PartnerLocation): Fragment =>
  sql`(
    select top_id from subtree_region where region_id = ${region}
    union all select top_id from subtree_partner where partner_id = ${id}
  )`

/** Converts the first row, if any, to a record that is sealed with `inside`: whether it is in the scope of the query. */
export const toFoundRecord = <Row extends { readonly inside: boolean }, A>(
  rows: ReadonlyArray<Row>,
  toRecord: (row: Row) => A
): Option.Option<FoundRecord<A>> => Option.map(Arr.head(rows), (row) => sealFound(toRecord(row), row.inside))
