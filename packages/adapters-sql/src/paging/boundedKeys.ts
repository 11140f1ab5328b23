import { type SqlClient } from "effect/sql"
import { type Fragment } from "effect/sql/Statement"
import { countInColumn, countOf } from "../hierarchy/countOf.ts"
import { locationOfItem, selectParts, subtree } from "../hierarchy/subtree.ts"
import { type AppliedFilter, columnsOf, hiddenConditionOf } from "./appliedFilters.ts"
import { type ListedTable } from "./Listing.ts"
import { type PageOrder } from "./pageOrder.ts"
import { isSearched, searchCondition, selectSearch } from "./selectSearch.ts"

/** The parameters of {@link selectBoundedKeys}, without the filter values. Each may be a placeholder. */
interface BoundedPage {
  /** The id of the partner at the top of the scope. */
  readonly top: unknown
  /** The number of records before the page. */
  readonly skip: unknown
  readonly size: unknown
  /** The maximum number of records to examine. */
  readonly budget: unknown
  /**
   * The condition on the keys that the page may contain. The total counts all matches regardless. Default: no
   * condition.
   */
  readonly following?: Fragment
}

/** A scope with at most this number of records is read completely, which is faster than an index search. */
const smallScope = "500"

/**
 * Selects the keys of one page of the records that match the filters, and counts all matches. Examines at most `budget`
 * records. If that is not enough, the total is null and the page is empty. Defines the tables `total` and `page`.
 *
 * The statement chooses its access path when it runs, by the stored counts:
 * - `scan`: Reads all records in scope. For small scopes.
 * - `lookup`: An index finds the records that match some of the filters, in all trees or in one tree. At most `budget`
 * of them are read. Trigram and JSON path indexes first read their whole list of matches. They are used only if a
 * sample of the newest records shows that this list is short (see {@link selectSearch}).
 * - `over`: The scope has too many records, and no index helps.
 *
 * Subqueries hide the values from the planner, so one generic plan serves every scope and value. Planning would take
 * several times as long as execution.
 */
export const selectBoundedKeys = (
  sql: SqlClient.SqlClient,
  listing: ListedTable,
  filters: ReadonlyArray<AppliedFilter>,
  { budget, following, size, skip, top }: BoundedPage,
  { columns, keyOrder, keys }: PageOrder
): Fragment => {
  const topId = sql`(select ${top}::uuid)`
  const table = sql.literal(listing.table)
  const present = sql.literal(listing.present)
  const count = sql.literal(listing.count)
  const condition = hiddenConditionOf(sql)
  // `candidate` has the records that the index finds. If they exceed the budget, a small scope is scanned instead.
  const isOver = sql`(select count(*) from candidate) > budget`
  const conditions = sql.and(filters.map(condition))
  const columnNames = new Set(["id", "root_id", "region_id", listing.owner, ...columns, ...columnsOf(filters)])
  const readColumns = sql.literal([...columnNames].map((column) => `item.${column}`).join(", "))
  const smallest = sql`least(${sql.literal(smallScope)}, scope.budget)`
  const lookup = lookupOf(filters)
  const searched = lookup?.isSearch === true ? lookup.filters : []
  const lookupConditions = (lookup?.filters ?? []).map(lookup?.isSearch === true ? searchCondition(sql) : condition)
  const isRare = lookup?.isSearch === true ? sql`(select is_rare from search)` : sql`true`
  return sql`
    scope as materialized (
      select top.id as top, top.root_id, top.parent_id is null as whole, of_root.${count} as of_root, page.budget,
        ${countOf(sql, countInColumn(sql, listing.count))} as value
      from (select ${budget}::bigint as budget offset 0) page,
        partner top join subtree_count of_top on of_top.partner_id = top.id
          join subtree_count of_root on of_root.partner_id = top.root_id
      where top.id = ${topId}
      offset 0
    ),
    ${searched.length > 0 ? selectSearch(sql, listing, searched, sql`scope.value > ${smallest}`) : sql.literal("")}
    chosen as materialized (
      select scope.*, case
        when value <= ${smallest} then 'scan'
        when ${lookup === undefined ? sql`false` : isRare} then 'lookup'
        when value <= budget then 'scan'
        else 'over'
      end as path from scope
    ),
    candidate as materialized (
      select item.* from chosen cross join lateral (
        select ${readColumns} from ${table} item
        where ${
    sql.and([...lookup?.isTree === true ? [sql`item.root_id = chosen.root_id`] : [], ...lookupConditions, present])
  }
        limit chosen.budget + 1
      ) item where chosen.path = 'lookup'
    ),
    matched as materialized (
      select ${keys} from candidate item
      where not (select ${isOver} from scope) and ${conditions} and case when (select whole from scope) then item.root_id = (select root_id from scope)
        else ${subtree(sql, topId).containsHashed(locationOfItem(sql, listing.owner))} end
      union all
      select ${keys} from chosen cross join lateral (
        ${
    selectParts(
      sql,
      listing,
      sql.literal("chosen.top"),
      (within) => sql`select ${readColumns} from ${table} item where ${within} and ${present} offset 0`
    )
  }
      ) item where (chosen.path = 'scan' or value <= budget and ${isOver}) and ${conditions}
    ),
    total as materialized (
      select case when path <> 'over' and (value <= budget or not (${isOver})) then (select count(*) from matched) end as value
      from chosen
    ),
    page as materialized (
      select item.id from matched item where (select value from total) is not null
        ${following === undefined ? sql.literal("") : sql`and (${following})`}
      order by ${keyOrder} limit (select ${size}::bigint) offset (select ${skip}::bigint)
    )`
}

/** The filters that an index evaluates. `isTree` is true if the index covers one tree. */
interface Lookup {
  readonly filters: ReadonlyArray<AppliedFilter>
  readonly isSearch: boolean
  readonly isTree: boolean
}

/**
 * Returns the filters that one index evaluates. First choice: a filter with an index over all trees. Second choice: the
 * searched texts and objects. Last choice: a filter with an index over one tree. Returns undefined if no index supports
 * the filters.
 */
const lookupOf = (filters: ReadonlyArray<AppliedFilter>): Lookup | undefined => {
  const key = filters.find(({ index }) => index === "records")
  if (key !== undefined) return { filters: [key], isSearch: false, isTree: false }
  const searches = filters.filter(isSearched)
  if (searches.length > 0) return { filters: searches, isSearch: true, isTree: false }
  const range = filters.find(({ index }) => index === "tree")
  if (range === undefined) return undefined
  return { filters: filters.filter(({ column }) => column === range.column), isSearch: false, isTree: true }
}
