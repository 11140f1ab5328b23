import { type PartnerId } from "@lastro/domain/values"
import { type SqlClient } from "effect/sql"
import { type Fragment } from "effect/sql/Statement"
import { locationOfItem, selectParts, subtree } from "../hierarchy/subtree.ts"
import { type AppliedFilter, columnsOf, conditionOf } from "./appliedFilters.ts"
import { type ListedTable } from "./Listing.ts"
import { type PageOrder } from "./pageOrder.ts"

/** Maximum number of records that are read in list order to fill a page. After that, all matches are sorted. */
const walkLimit = 5_000

/** A page that ends after this position is not read in order, because sorting all matches is faster. */
const maxWalked = 1_000

/** A page of a filtered list. */
interface CostlyPage {
  /** The id of the partner at the top of the scope. */
  readonly top: PartnerId
  /** The number of records before the page. */
  readonly skip: number
  readonly size: number
}

/**
 * Selects the keys of one page of the records that match the filters, and counts all matches, without a budget. Defines
 * the tables `total` and `page`.
 *
 * If the tree has an index in the order of the page and matches are frequent, the page is read from that index. The
 * matches are then counted but not stored. Otherwise, the keys of all matches are stored and sorted.
 *
 * The statement contains the values, so the planner can choose the best plan for them. Planning takes only a small part
 * of the time.
 */
export const selectCostlyKeys = (
  sql: SqlClient.SqlClient,
  listing: ListedTable,
  filters: ReadonlyArray<AppliedFilter>,
  { size, skip, top }: CostlyPage,
  { columns, indexes, keyOrder, keys }: PageOrder
): Fragment => {
  const topId = sql`${top}::uuid`
  const table = sql.literal(listing.table)
  const present = sql.literal(listing.present)
  const conditions = sql.and(filters.map(conditionOf(sql)))
  const wanted = skip + size
  const isWalked = indexes !== "none" && wanted <= maxWalked
  const columnNames = new Set(["id", "region_id", listing.owner, ...columns, ...columnsOf(filters)])
  const readColumns = sql.literal([...columnNames].map((column) => `item.${column}`).join(", "))
  const number = (value: number) => sql.literal(String(Math.trunc(value)))
  const inScope = subtree(sql, topId).containsHashed(locationOfItem(sql, listing.owner))

  /**
   * Selects from all matches if `condition` is true, and otherwise nothing. The condition must not depend on a match.
   */
  const selectMatches = (selected: Fragment, condition: Fragment): Fragment =>
    sql`(
      select ${selected} from ${table} item
      where (select whole from scope) and (${condition}) and item.root_id = (select root_id from scope)
        and ${present} and ${conditions}
    ) union all (
      select ${selected} from (${
      selectParts(
        sql,
        listing,
        topId,
        (within) => sql`select ${keys} from ${table} item where ${within} and ${present} and ${conditions}`
      )
    }) item where not (select whole from scope) and (${condition})
    )`
  const scope = sql`scope as materialized (
      select top.root_id, top.parent_id is null as whole from partner top where top.id = ${topId}
    )`
  const sorted = sql`select item.id from matched item order by ${keyOrder} limit ${number(size)} offset ${number(skip)}`
  if (!isWalked) {
    return sql`${scope},
      matched as materialized (${selectMatches(keys, sql`true`)}),
      total as (select count(*) as value from matched),
      page as materialized (${sorted})`
  }
  // If the walk completes the page, the matches are only counted. Otherwise, `matched` has all of them.
  const isComplete = sql`(select count(*) from walked) = ${number(wanted)}`
  return sql`${scope},
    walked as materialized (
      select item.* from scope cross join lateral (
        select ${keys} from (
          select ${readColumns} from ${table} item where item.root_id = scope.root_id and ${present}
          order by ${keyOrder} limit ${number(walkLimit)}
        ) item
        where ${conditions} and (scope.whole or ${inScope})
        order by ${keyOrder} limit ${number(wanted)}
      ) item
    ),
    matched as materialized (${selectMatches(keys, sql`not (${isComplete})`)}),
    total as (
      select case when ${isComplete} then (select count(*) from (${
    selectMatches(sql.literal("1"), isComplete)
  }) item) else (select count(*) from matched) end as value
    ),
    page as materialized (
      (
        select item.id from walked item where ${isComplete}
        order by ${keyOrder} limit ${number(size)} offset ${number(skip)}
      ) union all (${sorted})
    )`
}
