import { type FoundRecord, sealFound, type SubtreeScope } from "@lastro/domain/hierarchy"
import { type PartnerId } from "@lastro/domain/values"
import { Array as Arr, Option } from "effect"
import { type SqlClient } from "effect/sql"
import { type Fragment } from "effect/sql/Statement"

/** SQL expressions (columns or values) for the id and the region of a partner. */
interface PartnerLocation {
  readonly id: Fragment
  readonly region: Fragment
}

/** Returns the location of the partner with this id. A subquery reads the partner's region. */
export const locationOf = (sql: SqlClient.SqlClient, id: Fragment): PartnerLocation => ({
  id,
  region: sql`(select region_id from partner where id = ${id})`
})

/**
 * Returns the location of the partner of a row `item`. If the column is `id`, the row is the partner itself. If the
 * column is `partner_id`, the row belongs to the partner. The row needs a column `region_id`.
 */
export const locationOfItem = (sql: SqlClient.SqlClient, owner: "id" | "partner_id"): PartnerLocation => ({
  id: sql.literal(`item.${owner}`),
  region: sql.literal("item.region_id")
})

/**
 * Returns a partner's `root_id` and `region_id`, as two values for the insertion of a row that belongs to the partner.
 */
export const rootAndRegion = (sql: SqlClient.SqlClient, id: PartnerId): Fragment =>
  sql`(select root_id from partner where id = ${id}), (select region_id from partner where id = ${id})`

/**
 * Builds conditions that are true for partners in the subtree of `top`, an SQL expression for a partner's id. Every
 * query that is limited to a subtree uses one of them. A subtree contains a partner if it contains the partner's whole
 * region (`subtree_region`) or lists the partner individually (`subtree_partner`). Each condition binds only `top`,
 * whatever the size of the subtree.
 */
export const subtree = (sql: SqlClient.SqlClient, top: Fragment) => ({
  /** Checks each row by index lookups. */
  contains: ({ id, region }: PartnerLocation): Fragment =>
    sql`(
      exists (select from subtree_region part where part.top_id = ${top} and part.region_id = ${region})
      or exists (select from subtree_partner part where part.top_id = ${top} and part.partner_id = ${id})
    )`,
  /**
   * Checks each row by hash lookups. PostgreSQL builds the hash tables at the first row, so `top` must not depend on
   * the row.
   */
  containsHashed: ({ id, region }: PartnerLocation): Fragment =>
    sql`(
      ${region} in (select region_id from subtree_region where top_id = ${top})
      or ${id} in (select partner_id from subtree_partner where top_id = ${top})
    )`
})

/**
 * Builds the conditions of {@link subtree}. `top` is the id of a partner, sent as a bound parameter, or a placeholder
 * of it.
 */
export const subtreeBelow = (sql: SqlClient.SqlClient, top: unknown) => subtree(sql, sql`${top}::uuid`)

/**
 * Builds the conditions of {@link subtree} for the partner of a scope. The id of the partner becomes a bound parameter.
 */
export const subtreeOf = (sql: SqlClient.SqlClient, scope: SubtreeScope | PartnerId) =>
  subtreeBelow(sql, typeof scope === "string" ? scope : scope.partner_id)

/** Builds a subquery with the column `top_id`, which selects a partner and its ancestors. */
export const ancestors = (sql: SqlClient.SqlClient, { id, region }: PartnerLocation): Fragment =>
  sql`(
    select top_id from subtree_region where region_id = ${region}
    union all select top_id from subtree_partner where partner_id = ${id}
  )`

/** Builds a condition that is true if the partner `owner` and all its ancestors are active. */
export const areAncestorsActive = (sql: SqlClient.SqlClient): Fragment => {
  const owner = { id: sql.literal("owner.id"), region: sql.literal("owner.region_id") }
  return sql`not exists (
      select from ${ancestors(sql, owner)} above join partner ancestor on ancestor.id = above.top_id
      where ancestor.status <> 'active'
    )`
}

/**
 * Converts the first row, if any, to a `FoundRecord`. The column `inside` is true if the record is in the scope of the
 * query.
 */
export const toFoundRecord = <Row extends { readonly inside: boolean }, A>(
  rows: ReadonlyArray<Row>,
  toRecord: (row: Row) => A
): Option.Option<FoundRecord<A>> => Option.map(Arr.head(rows), (row) => sealFound(toRecord(row), row.inside))

/**
 * Selects records of each part of a subtree. A part is a whole region, or a single partner that is not in a whole
 * region of the subtree. `selectItems` returns the query for one part. Its argument is the SQL condition that limits
 * the query to this part.
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
