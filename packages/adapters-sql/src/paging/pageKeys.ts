import { type PartnerId } from "@lastro/domain/id"
import { offsetOf, type PageRequest } from "@lastro/domain/paging"
import { type SqlClient } from "effect/sql"
import { type Fragment } from "effect/sql/Statement"
import { locationOf, locationOfItem, subtree } from "../hierarchy/subtree.ts"
import { type Listing } from "./Listing.ts"

/**
 * Estimated costs of the steps of an unfiltered list, in microseconds per row or part. {@link selectUnfilteredKeys}
 * explains the steps. Only the ratios of the costs matter, and an error by a factor of two is harmless. The cost of a
 * row in a walk (`walked`) is three times the measured time. This allows for clusters: in an order by time, the records
 * of one subtree often follow each other.
 */
const costs = (sql: SqlClient.SqlClient) => ({
  hashedPart: sql.literal("0.2"),
  walked: sql.literal("1"),
  mergedPart: sql.literal("4"),
  merged: sql.literal("0.4"),
  sorted: sql.literal("1")
})

/** A walk (see {@link selectUnfilteredKeys}) stops after this multiple of the expected number of rows. */
const walkLimitFactor = "8"

/** Returns the page size as a literal. For a parameter, the planner would assume a tenth of all rows. */
const literalSize = (sql: SqlClient.SqlClient, { size }: Pick<PageRequest, "size">): Fragment =>
  sql.literal(String(Math.trunc(size)))

/** A page of an unfiltered list. `top` and `skip` may be placeholders. */
export interface UnfilteredPage {
  /** The id of the partner at the top of the scope. */
  readonly top: unknown
  /** The number of records before the page. */
  readonly skip: unknown
  readonly size: number
}

/** The sort keys of a page as SQL. */
interface Keys {
  /** The sort columns of `item`, including the id. */
  readonly keys: Fragment
  /** The `order by` list. */
  readonly keyOrder: Fragment
}

/**
 * Selects the first records of each part of a subtree. A part is a whole region or a partner that is listed
 * individually.
 */
const selectParts = <Field extends string>(
  sql: SqlClient.SqlClient,
  listing: Listing<Field>,
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
      ${selectItems(sql`${sql.literal(`item.${listing.owner}`)} = part.partner_id`)}
    ) item where part.top_id = ${top}
  )`

/**
 * Selects the keys of one page of the records that match the filters, and counts all matches. Defines the tables
 * `total` and `page`.
 */
export const selectFilteredKeys = <Field extends string>(
  sql: SqlClient.SqlClient,
  listing: Listing<Field>,
  top: PartnerId,
  page: PageRequest,
  filters: ReadonlyArray<Fragment>,
  { keyOrder, keys }: Keys
): Fragment => {
  const selectMatches = (within: Fragment): Fragment =>
    sql`
      select ${keys} from ${sql.literal(listing.table)} item
      where ${within} and ${sql.literal(listing.present)} and ${sql.and(filters)}`
  return sql`
    matched as materialized (${selectParts(sql, listing, sql`${top}::uuid`, selectMatches)}),
    total as (select count(*) as value from matched),
    page as materialized (
      select item.id from matched item order by ${keyOrder}
      limit ${literalSize(sql, page)} offset ${BigInt(offsetOf(page))}
    )`
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
 * Planning takes several times as long as execution, so PostgreSQL should keep one generic plan. Subqueries therefore
 * hide the parameter values from the planner. Plans for specific values would not be cheaper.
 */
export const selectUnfilteredKeys = <Field extends string>(
  sql: SqlClient.SqlClient,
  listing: Listing<Field>,
  page: UnfilteredPage,
  { indexed, keyOrder, keys }: Keys & { readonly indexed: "tree and regions" | "tree" | "no" }
): Fragment => {
  const cost = costs(sql)
  const topId = sql`(select ${page.top}::uuid)`
  const table = sql.literal(listing.table)
  const present = sql.literal(listing.present)
  const owner = locationOfItem(sql, listing.owner)
  const size = literalSize(sql, page)
  const total = sql`
    total as materialized (
      select top, root_id, value, skip, least(skip + ${size}, value) as wanted,
        case
          when value <= skip then 'none'
          when whole then 'whole'
          when rows * ${cost.walked} + parts * ${cost.hashedPart} < parts * ${cost.mergedPart} + ${
    indexed === "tree and regions"
      ? sql`least(folded, parts * (skip + ${size})) * ${cost.merged}`
      : sql`folded * ${cost.sorted}`
  } then 'walk'
          else 'merge'
        end as way,
        least(rows * ${sql.literal(walkLimitFactor)}, 1e9)::bigint as walk_limit
      from (${selectEstimates(sql, listing, topId, page)}) estimated
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
  if (indexed === "no") {
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
const selectEstimates = <Field extends string>(
  sql: SqlClient.SqlClient,
  listing: Listing<Field>,
  topId: Fragment,
  page: UnfilteredPage
): Fragment => {
  const count = sql.literal(listing.count)
  const pending = locationOf(sql, sql.literal("delta.partner_id"))
  return sql`
    select top, root_id, whole, value, skip, rows, parts, folded
    from (
      select top.id as top, top.root_id, top.parent_id is null as whole, page.skip, of_top.${count} as folded,
        case when top.parent_id is null then 0
          else (select count(*) from subtree_region where top_id = top.id)
            + (select count(*) from subtree_partner where top_id = top.id)
        end as parts,
        of_top.${count} + coalesce((
          select sum(delta.${count}) from subtree_count_delta delta
          where ${subtree(sql, sql.literal("top.id")).contains(pending)}
        ), 0) as value,
        (page.skip + ${literalSize(sql, page)})::float8
          * (select of_root.${count} from subtree_count of_root where of_root.partner_id = top.root_id)
          / greatest(of_top.${count}, 1) as rows
      from (select ${page.skip}::bigint as skip offset 0) page,
        partner top join subtree_count of_top on of_top.partner_id = top.id
      where top.id = ${topId}
      offset 0
    ) counted`
}
