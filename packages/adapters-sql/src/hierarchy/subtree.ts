import { type FoundRecord, sealFound, type SubtreeScope } from "@lastro/domain/hierarchy"
import { type PartnerId } from "@lastro/domain/values"
import { Array as Arr, Option } from "effect"
import { type SqlClient } from "effect/sql"
import { type Fragment } from "effect/sql/Statement"

/** SQL expressions for the id and the region of a partner. */
interface PartnerLocation {
  readonly id: Fragment
  readonly region: Fragment
}

/** Returns the location of a partner by its id. A subquery reads its region. */
export const locationOf = (sql: SqlClient.SqlClient, id: Fragment): PartnerLocation => ({
  id,
  region: sql`(select region_id from partner where id = ${id})`
})

/**
 * Returns the location of the partner of a row `item` that has a column `region_id`. With `id`, the row is the partner
 * itself. With `partner_id`, the row belongs to the partner.
 */
export const locationOfItem = (sql: SqlClient.SqlClient, owner: "id" | "partner_id"): PartnerLocation => ({
  id: sql.literal(`item.${owner}`),
  region: sql.literal("item.region_id")
})

/** Returns the location of the partner of a row `item` with the columns `owner` and `region`. */
export const locationOfKey = (sql: SqlClient.SqlClient): PartnerLocation => ({
  id: sql.literal("item.owner"),
  region: sql.literal("item.region")
})

/** Returns the location of a partner from its row `owner`. */
export const locationOfOwner = (sql: SqlClient.SqlClient): PartnerLocation => ({
  id: sql.literal("owner.id"),
  region: sql.literal("owner.region_id")
})

/** Returns the `root_id` and `region_id` of a partner, as two values of an `insert`. */
export const rootAndRegion = (sql: SqlClient.SqlClient, id: PartnerId): Fragment =>
  sql`(select root_id from partner where id = ${id}), (select region_id from partner where id = ${id})`

/**
 * Returns conditions that are true for partners in the subtree of `top`, an SQL expression for a partner's id. Every
 * query in a scope uses one of them. A subtree contains a partner if it contains the partner's whole region
 * (`subtree_region`), or if it lists the partner individually (`subtree_partner`). The conditions bind only `top`,
 * however large the subtree is.
 */
export const subtree = (sql: SqlClient.SqlClient, top: Fragment) => ({
  /** Checks each row by index lookups. */
  contains: ({ id, region }: PartnerLocation): Fragment =>
    sql`(
      exists (select from subtree_region part where part.top_id = ${top} and part.region_id = ${region})
      or exists (select from subtree_partner part where part.top_id = ${top} and part.partner_id = ${id})
    )`,
  /** Checks each row by hash lookups. PostgreSQL builds the hash tables once, so `top` must not depend on the row. */
  containsHashed: ({ id, region }: PartnerLocation): Fragment =>
    sql`(
      ${region} in (select region_id from subtree_region where top_id = ${top})
      or ${id} in (select partner_id from subtree_partner where top_id = ${top})
    )`
})

/** Returns the conditions of {@link subtree}. `top` is the id of a partner, or its placeholder. */
export const subtreeBelow = (sql: SqlClient.SqlClient, top: unknown) => subtree(sql, sql`${top}::uuid`)

/** Returns the conditions of {@link subtree} for the partner of a scope. Its id becomes a parameter. */
export const subtreeOf = (sql: SqlClient.SqlClient, scope: SubtreeScope | PartnerId) =>
  subtreeBelow(sql, typeof scope === "string" ? scope : scope.partner_id)

/** Returns a subquery with the column `top_id`: a partner and its ancestors. */
export const ancestors = (sql: SqlClient.SqlClient, { id, region }: PartnerLocation): Fragment =>
  sql`(
    select top_id from subtree_region where region_id = ${region}
    union all select top_id from subtree_partner where partner_id = ${id}
  )`

/** Returns a condition that is true if the partner `owner` and all its ancestors are active. */
export const areAncestorsActive = (sql: SqlClient.SqlClient): Fragment =>
  sql`not exists (
      select from ${ancestors(sql, locationOfOwner(sql))} above join partner ancestor on ancestor.id = above.top_id
      where ancestor.status <> 'active'
    )`

/**
 * Converts the first row to a `FoundRecord`. The column `inside` is true if the record is in the scope of the query.
 */
export const toFoundRecord = <Row extends { readonly inside: boolean }, A>(
  rows: ReadonlyArray<Row>,
  toRecord: (row: Row) => A
): Option.Option<FoundRecord<A>> => Option.map(Arr.head(rows), (row) => sealFound(toRecord(row), row.inside))

/**
 * Selects the records of each part of a subtree. A part is a whole region, or a partner that the subtree lists
 * individually. `selectItems` returns the query of one part, limited by the SQL condition it receives.
 */
export const selectParts = (
  sql: SqlClient.SqlClient,
  { owner }: { readonly owner: "id" | "partner_id" },
  top: Fragment,
  selectItems: (within: Fragment) => Fragment
): Fragment =>
  sql`(
    select item.* from subtree_region part cross join lateral (${
    selectItems(sql`item.region_id = part.region_id`)
  }) item
    where part.top_id = ${top}
  ) union all (
    select item.* from subtree_partner part cross join lateral (
      ${selectItems(sql`${sql.literal(`item.${owner}`)} = part.partner_id`)}
    ) item where part.top_id = ${top}
  )`
