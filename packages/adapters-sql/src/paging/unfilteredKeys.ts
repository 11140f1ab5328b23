import { type SqlClient } from "effect/sql"
import { type Fragment } from "effect/sql/Statement"
import { type CountIn, countInColumn, countOf, type Expiring } from "../hierarchy/countOf.ts"
import { locationOfItem, locationOfKey, selectParts, subtree } from "../hierarchy/subtree.ts"
import { type ListedTable, type Partition } from "./Listing.ts"
import { type PageOrder } from "./pageOrder.ts"

/**
 * Estimated costs of the steps of an unfiltered list, in microseconds per row or part (see {@link
 * selectUnfilteredKeys}). One microsecond counts as one examined record of the read budget. An error by a factor of two
 * is harmless. `walked`, the cost of a row in a walk, is three times the measured time: in an order by time, the
 * records of one subtree often follow each other.
 */
const costs = (sql: SqlClient.SqlClient) => ({
  skipped: sql.literal("0.3"),
  hashedPart: sql.literal("0.2"),
  walked: sql.literal("1"),
  /** A skipped record in the same index range that has another status. */
  other: sql.literal("0.15"),
  mergedPart: sql.literal("4"),
  merged: sql.literal("0.4"),
  sorted: sql.literal("1")
})

/** A walk stops after this multiple of the expected number of rows. */
const walkLimitFactor = "8"

/**
 * If a tree has at most this number of applications with live offers, all of them are read. The number is smaller for
 * pages that start with the newest applications: most of those have live offers, so a walk finds them soon.
 */
const fewLive = { oldestFirst: "3000", newestFirst: "300" }

/**
 * Maximum number of rows that the path `live` reads. It exceeds {@link fewLive}, because stored counts may be out of
 * date.
 */
const maxLive = "6000"

/** A partition of a list as SQL: the expression of its count, and its condition on `item`. */
export interface AppliedPartition {
  readonly count: CountIn
  readonly condition: Fragment
  readonly expiring?: Omit<NonNullable<Partition["expiring"]>, "bound"> & Expiring
}

/** Returns the page size as a literal. For a parameter, the planner would assume a tenth of all rows. */
const literalSize = (sql: SqlClient.SqlClient, { size }: Pick<UnfilteredPage, "size">): Fragment =>
  sql.literal(String(Math.trunc(size)))

/** A page of an unfiltered list. `top`, `skip` and `budget` may be SQL parameters. */
interface UnfilteredPage {
  /** The id of the partner at the top of the scope. */
  readonly top: unknown
  /** The number of records before the page. */
  readonly skip: unknown
  readonly size: number
  /** The maximum number of records to examine. Undefined if the page cannot be costly. */
  readonly budget: unknown
}

/**
 * Selects the keys of one page of all records in scope, or of a partition, and reads the total from the stored counts.
 * Defines the tables `total` and `page`. The statement chooses the cheapest access path by the counts ({@link
 * selectPlan}).
 *
 * A partition can depend on the clock: QUOTED becomes EXPIRED without a write. So the index range of either status also
 * contains records of the other one, which are skipped.
 *
 * PostgreSQL prepares all paths at each execution. So the reader remembers the path of a first page, and reads that
 * page with `selectByPath` the next time.
 */
export const selectUnfilteredKeys = (
  sql: SqlClient.SqlClient,
  listing: ListedTable,
  page: UnfilteredPage,
  order: PageOrder,
  partition?: AppliedPartition
): Fragment => {
  const { indexes, keyOrder, keys } = order
  // Subqueries hide the values of parameters, so that PostgreSQL keeps one generic plan: planning takes several times as
  // long as execution.
  const topId = sql`(select ${page.top}::uuid)`
  const table = sql.literal(listing.table)
  const present = partition === undefined ? sql.literal(listing.present) : partition.condition
  const expiring = partition?.expiring
  const isLive = expiring?.sign === "-"
  const owner = locationOfItem(sql, listing.owner)
  const size = literalSize(sql, page)
  const estimates = selectEstimates(sql, partition?.count ?? countInColumn(sql, listing.count), topId, page, expiring)
  const name = sql.literal(isLive ? "plan" : "total")
  const planned = sql`${name} as materialized (${selectPlan(sql, page, order, estimates, expiring)})`
  const total = isLive ? sql`${planned}, ${selectLive(sql, table, topId, owner, keys, expiring.before)}` : planned
  // The scope is a whole tree, whose index has the requested order.
  const whole = sql`
    select item.id from ${name} total cross join lateral (
      select item.id from ${table} item where item.root_id = total.root_id and ${present}
      order by ${keyOrder} limit ${size} offset total.skip
    ) item where total.path = 'whole'`
  const selectFirst = (within: Fragment): Fragment =>
    sql`
      select ${keys} from ${table} item where ${within} and ${present}
      order by ${keyOrder} limit total.skip + ${size}`
  // Reads the first records of each part of the scope. The number of parts does not depend on the number of users, and
  // hardly on that of partners.
  const selectMerged = (condition: Fragment): Fragment =>
    sql`
    select item.id from ${name} total cross join lateral (
      select item.id from (${selectParts(sql, listing, sql.literal("total.top"), selectFirst)}) item
      order by ${keyOrder} limit ${size} offset total.skip
    ) item where ${condition}`
  if (indexes === "none") {
    return sql`${total},
      page as materialized ((${whole}) union all (${selectMerged(sql`total.path in ('walk', 'merge')`)}))`
  }
  // The path `walk` is for a scope that is a large share of a tree. It reads the index of the tree in order, and skips
  // records outside the scope. If the page is still incomplete after a limited number of rows, `merge` is used.
  return sql`${total},
    walked as materialized (
      select item.* from ${name} total cross join lateral (
        select item.* from (
          select ${keys}, ${owner.id} as owner, ${owner.region} as region from ${table} item
          where item.root_id = total.root_id and ${present}
          order by ${keyOrder} limit total.walk_limit
        ) item
        where ${subtree(sql, topId).containsHashed(locationOfKey(sql))}
        order by ${keyOrder} limit total.wanted
      ) item where total.path = 'walk'
    ),
    page as materialized (
      (${whole}) union all (
        select item.id from walked item
        where (select count(*) from walked) = (select wanted from ${name})
        order by ${keyOrder} limit ${size} offset (select skip from ${name})
      ) union all (
        ${
    selectMerged(sql`total.path = 'merge' or total.path = 'walk' and (select count(*) from walked) < total.wanted`)
  }
      )${
    isLive
      ? sql` union all (
        select item.id from live item order by ${keyOrder} limit ${size} offset (select skip from ${name})
      )`
      : sql.literal("")
  }
    )`
}

/**
 * Selects the cheapest access path of a page, and its total. With the path `over`, the total is null and the page is
 * empty: the estimated cost exceeds that of examining `budget` records. This happens for pages deep in a list, and for
 * large scopes without an index in the requested order. It also happens if the stored counts already include expiries
 * after the time of the query.
 */
const selectPlan = (
  sql: SqlClient.SqlClient,
  page: UnfilteredPage,
  { direction, indexes }: PageOrder,
  estimates: Fragment,
  expiring: AppliedPartition["expiring"]
): Fragment => {
  const cost = costs(sql)
  const size = literalSize(sql, page)
  const isLive = expiring?.sign === "-"
  // The newest records have live offers. So this is true if the order starts with records of the other status.
  const startsWithOthers = isLive === (direction === "asc")
  const skippedInTree = expiring !== undefined && startsWithOthers
    ? sql`+ others_of_root * ${cost.other}`
    : sql.literal("")
  const skippedInScope = expiring === undefined ? sql.literal("") : sql`+ others * ${cost.other}`
  const wholeCost = indexes === "none"
    ? sql`folded * ${cost.sorted}`
    : sql`(skip + ${size}) * ${cost.skipped} ${skippedInTree}`
  const walkCost = sql`rows * ${cost.walked} + parts * ${cost.hashedPart} ${skippedInTree}`
  const mergeCost = sql`parts * ${cost.mergedPart} + ${
    indexes === "tree and regions"
      ? sql`least(folded, parts * (skip + ${size})) * ${cost.merged}`
      : sql`folded * ${cost.sorted}`
  } ${skippedInScope}`
  const path = sql`case
          when value <= skip then 'none'
          ${
    isLive
      ? sql`when of_root <= ${sql.literal(startsWithOthers ? fewLive.oldestFirst : fewLive.newestFirst)} then 'live'`
      : sql.literal("")
  }
          when whole then 'whole'
          when ${walkCost} < ${mergeCost} then 'walk'
          else 'merge'
        end`
  const paged = sql`${sql.literal(isLive ? "whole, " : "")}top, root_id, skip, least(skip + ${size}, value) as wanted,
        least(rows * ${sql.literal(walkLimitFactor)}, 1e9)::bigint as walk_limit`
  if (page.budget === undefined) return sql`select ${paged}, value, ${path} as path from (${estimates}) estimated`
  const isStale = sql`(select folded_until from application_expiry_fold) >= ${expiring?.before ?? sql.literal("null")}`
  const isExpensive = sql`value > skip and path <> 'live' and least(value, cost) > budget`
  const isOver = expiring === undefined ? isExpensive : sql`(${isExpensive}) or ${isStale}`
  return sql`
      select ${paged}, case when ${isOver} then null else value end as value, case when ${isOver} then 'over' else path end as path
      from (
        select estimated.*, ${path} as path, (select ${page.budget}::bigint) as budget,
          case when whole then ${wholeCost} else least(${walkCost}, ${mergeCost}) end as cost
        from (${estimates}) estimated
        offset 0
      ) priced`
}

/**
 * Selects the root of the scope, the number of its parts, and how many rows a walk probably reads until the page is
 * complete (`rows`). `folded` is the stored number of records. `value` is the exact number, with pending changes.
 * `of_root` is the stored number in the whole tree.
 */
const selectEstimates = (
  sql: SqlClient.SqlClient,
  count: CountIn,
  topId: Fragment,
  page: UnfilteredPage,
  expiring: AppliedPartition["expiring"]
): Fragment => {
  const ofRoot = (counted: CountIn) =>
    sql`(select ${counted("of_root")} from subtree_count of_root where of_root.partner_id = top.root_id)`
  const countOthers = expiring === undefined ? undefined : countInColumn(sql, expiring.others)
  const others = countOthers === undefined ? sql.literal("") : sql`, ${countOthers("of_top")} as others,
        ${ofRoot(countOthers)} as others_of_root`
  return sql`
    select counted.*, (skip + ${literalSize(sql, page)})::float8 * of_root / greatest(folded, 1) as rows
    from (
      select top.id as top, top.root_id, top.parent_id is null as whole, page.skip, ${count("of_top")} as folded,
        case when top.parent_id is null then 0
          else (select count(*) from subtree_region where top_id = top.id)
            + (select count(*) from subtree_partner where top_id = top.id)
        end as parts,
        ${countOf(sql, count, expiring)} as value, ${ofRoot(count)} as of_root${others}
      from (select ${page.skip}::bigint as skip offset 0) page,
        partner top join subtree_count of_top on of_top.partner_id = top.id
      where top.id = ${topId}
      offset 0
    ) counted`
}

/**
 * Defines two tables. `live` has the keys of the records in scope with live offers, in the order in which these expire.
 * It is for few such records, which can be far apart in the index. `total` has the number of these records from `plan`,
 * or null if `live` does not contain all of them.
 */
const selectLive = (
  sql: SqlClient.SqlClient,
  table: Fragment,
  topId: Fragment,
  owner: ReturnType<typeof locationOfItem>,
  keys: Fragment,
  before: Fragment
): Fragment =>
  sql`live as materialized (
      select item.* from plan cross join lateral (
        select item.* from (
          select ${keys}, ${owner.id} as owner, ${owner.region} as region from ${table} item
          where item.root_id = plan.root_id and item.live_until >= ${before} and item.live_until > '-infinity'
          order by item.live_until desc limit ${sql.literal(maxLive)}
        ) item
        where plan.whole or ${subtree(sql, topId).containsHashed(locationOfKey(sql))}
        offset 0
      ) item where plan.path = 'live'
    ),
    total as materialized (
      select case when path = 'live' and (select count(*) from live) <> value then null else value end as value from plan
    )`
