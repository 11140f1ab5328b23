import { type SqlClient } from "effect/sql"
import { type Fragment } from "effect/sql/Statement"
import { countOf } from "../hierarchy/countOf.ts"
import { locationOfItem, subtree } from "../hierarchy/subtree.ts"
import { type ListedTable } from "./Listing.ts"
import { type PageOrder } from "./pageOrder.ts"
import { selectParts } from "./parts.ts"

/**
 * Estimated costs of the steps of an unfiltered list, in microseconds per row or part. {@link selectUnfilteredKeys}
 * explains the steps. The cost 1 is also that of one examined record in the read budget. An error by a factor of two is harmless. The cost of a
 * row in a walk (`walked`) is three times the measured time. This allows for clusters: in an order by time, the records
 * of one subtree often follow each other.
 */
const costs = (sql: SqlClient.SqlClient) => ({
  skipped: sql.literal("0.3"),
  hashedPart: sql.literal("0.2"),
  walked: sql.literal("1"),
  mergedPart: sql.literal("4"),
  merged: sql.literal("0.4"),
  sorted: sql.literal("1")
})

/** A walk (see {@link selectUnfilteredKeys}) stops after this multiple of the expected number of rows. */
const walkLimitFactor = "8"

/** Returns the page size as a literal. For a parameter, the planner would assume a tenth of all rows. */
const literalSize = (sql: SqlClient.SqlClient, { size }: Pick<UnfilteredPage, "size">): Fragment =>
  sql.literal(String(Math.trunc(size)))

/** A page of an unfiltered list. `top`, `skip` and `budget` may be placeholders. */
export interface UnfilteredPage {
  /** The id of the partner at the top of the scope. */
  readonly top: unknown
  /** The number of records before the page. */
  readonly skip: unknown
  readonly size: number
  /** The maximum number of records to examine. Undefined if the page cannot be costly. */
  readonly budget: unknown
}

/**
 * Selects the keys of one page of all records in scope, and reads the total from the stored counts. Defines the tables
 * `total` and `page`.
 *
 * Based on the counts, the statement chooses the cheapest of three access paths:
 * - `whole`: The scope is a whole tree. The tree's index already has the requested order.
 * - `walk`: The scope is a large share of a tree. The tree's index is read in order, and records outside the scope are
 *   skipped. If the page is not complete after a limited number of rows, the walk stops and `merge` is used instead.
 * - `merge`: The first records of each part of the scope are read and merged. The number of parts does not depend on
 *   the number of users, and hardly on the number of partners.
 *
 * If the estimated cost exceeds that of examining `budget` records, the path is `over`: the total is null and the page is
 * empty. This happens for pages deep in a list, and for large scopes without an index in the requested order.
 *
 * Planning takes several times as long as execution, so PostgreSQL should keep one generic plan. Subqueries therefore
 * hide the parameter values from the planner. Plans for specific values would not be cheaper.
 */
export const selectUnfilteredKeys = (
  sql: SqlClient.SqlClient,
  listing: ListedTable,
  page: UnfilteredPage,
  { indexes, keyOrder, keys }: PageOrder
): Fragment => {
  const cost = costs(sql)
  const topId = sql`(select ${page.top}::uuid)`
  const table = sql.literal(listing.table)
  const present = sql.literal(listing.present)
  const owner = locationOfItem(sql, listing.owner)
  const size = literalSize(sql, page)
  const wholeCost = indexes === "none" ? sql`folded * ${cost.sorted}` : sql`(skip + ${size}) * ${cost.skipped}`
  const walkCost = sql`rows * ${cost.walked} + parts * ${cost.hashedPart}`
  const mergeCost = sql`parts * ${cost.mergedPart} + ${
    indexes === "tree and regions"
      ? sql`least(folded, parts * (skip + ${size})) * ${cost.merged}`
      : sql`folded * ${cost.sorted}`
  }`
  const estimates = selectEstimates(sql, listing, topId, page)
  const way = sql`case
          when value <= skip then 'none'
          when whole then 'whole'
          when ${walkCost} < ${mergeCost} then 'walk'
          else 'merge'
        end`
  const paged = sql`top, root_id, skip, least(skip + ${size}, value) as wanted,
        least(rows * ${sql.literal(walkLimitFactor)}, 1e9)::bigint as walk_limit`
  const isOver = sql`value > skip and least(value, cost) > budget`
  const total = page.budget === undefined
    ? sql`total as materialized (select ${paged}, value, ${way} as way from (${estimates}) estimated)`
    : sql`total as materialized (
      select ${paged}, case when ${isOver} then null else value end as value, case when ${isOver} then 'over' else way end as way
      from (
        select estimated.*, ${way} as way, (select ${page.budget}::bigint) as budget,
          case when whole then ${wholeCost} else least(${walkCost}, ${mergeCost}) end as cost
        from (${estimates}) estimated
        offset 0
      ) priced
    )`
  const whole = sql`
    select item.id from total cross join lateral (
      select item.id from ${table} item where item.root_id = total.root_id and ${present}
      order by ${keyOrder} limit ${size} offset total.skip
    ) item where total.way = 'whole'`
  const selectFirst = (within: Fragment): Fragment =>
    sql`
      select ${keys} from ${table} item where ${within} and ${present}
      order by ${keyOrder} limit total.skip + ${size}`
  const selectMerged = (condition: Fragment): Fragment =>
    sql`
    select item.id from total cross join lateral (
      select item.id from (${selectParts(sql, listing, sql.literal("total.top"), selectFirst)}) item
      order by ${keyOrder} limit ${size} offset total.skip
    ) item where ${condition}`
  if (indexes === "none") {
    return sql`${total},
      page as materialized ((${whole}) union all (${selectMerged(sql`total.way in ('walk', 'merge')`)}))`
  }
  return sql`${total},
    walked as materialized (
      select item.* from total cross join lateral (
        select item.* from (
          select ${keys}, ${owner.id} as owner, ${owner.region} as region from ${table} item
          where item.root_id = total.root_id and ${present}
          order by ${keyOrder} limit total.walk_limit
        ) item
        where ${
    subtree(sql, topId).containsHashed({ id: sql.literal("item.owner"), region: sql.literal("item.region") })
  }
        order by ${keyOrder} limit total.wanted
      ) item where total.way = 'walk'
    ),
    page as materialized (
      (${whole}) union all (
        select item.id from walked item
        where (select count(*) from walked) = (select wanted from total)
        order by ${keyOrder} limit ${size} offset (select skip from total)
      ) union all (
        ${selectMerged(sql`total.way = 'merge' or total.way = 'walk' and (select count(*) from walked) < total.wanted`)}
      )
    )`
}

/**
 * Reads the root, the exact total and the number of parts of the scope. Estimates how many rows a walk reads until the
 * page is complete.
 */
const selectEstimates = (
  sql: SqlClient.SqlClient,
  listing: ListedTable,
  topId: Fragment,
  page: UnfilteredPage
): Fragment => {
  const count = sql.literal(listing.count)
  return sql`
    select top, root_id, whole, value, skip, rows, parts, folded
    from (
      select top.id as top, top.root_id, top.parent_id is null as whole, page.skip, of_top.${count} as folded,
        case when top.parent_id is null then 0
          else (select count(*) from subtree_region where top_id = top.id)
            + (select count(*) from subtree_partner where top_id = top.id)
        end as parts,
        ${countOf(sql, listing)} as value,
        (page.skip + ${literalSize(sql, page)})::float8
          * (select of_root.${count} from subtree_count of_root where of_root.partner_id = top.root_id)
          / greatest(of_top.${count}, 1) as rows
      from (select ${page.skip}::bigint as skip offset 0) page,
        partner top join subtree_count of_top on of_top.partner_id = top.id
      where top.id = ${topId}
      offset 0
    ) counted`
}
