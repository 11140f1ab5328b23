import { type SqlClient } from "effect/sql"
import { type Fragment } from "effect/sql/Statement"
import { locationOfKey, selectParts, subtree } from "../hierarchy/subtree.ts"
import { placeAt } from "./appliedFilters.ts"
import { type ListedTable } from "./Listing.ts"
import { type PageOrder } from "./pageOrder.ts"

/** A page of the applications in some places. Each value may be a placeholder. */
export interface PlacedPage {
  /** The id of the partner at the top of the scope. */
  readonly top: unknown
  readonly places: unknown
  /** The time at which the applications are in these places. */
  readonly at: unknown
  /** The number of records before the page. */
  readonly skip: unknown
  /** The maximum number of records to examine. */
  readonly budget: unknown
}

/**
 * Estimated costs, in examined records. `part`: the first record of a region in a place. `record`: each further one.
 * `walked`: each record of a walk through the tree. It costs more than `record`, because records outside the scope are
 * skipped in clusters: the records of one subtree often follow each other.
 */
const costs = { part: "4", record: "0.4", walked: "1" }

/** A walk stops after this multiple of the expected number of records. */
const walkLimitFactor = "8"

/**
 * Defines three tables.
 *
 * - `scope`: the scope and the parameters of the query.
 * - `due`: the applications of the whole tree whose stored place is outdated because time has passed. A background job
 *   updates stored places, so there are few. The table has at most one record more than the budget.
 * - `overdue`: those of `due` that are in the scope, with their current place as `place_now`.
 */
const selectScope = (
  sql: SqlClient.SqlClient,
  { at, budget, places, skip, top }: PlacedPage,
  keys: Fragment
): Fragment => {
  const topId = sql`(select ${top}::uuid)`
  const { isEnded, isNotBegun, place } = placeAt(sql, sql.literal("scope.at"))
  // The planner does not know the time, so only this order makes it use the partial index with the condition.
  const selectOutdated = (condition: Fragment, order: string) =>
    sql`
        select ${keys}, item.place, ${place} as place_now, item.region_id as region, item.partner_id as owner
        from application item where item.root_id = scope.root_id and ${condition}
        order by item.${sql.literal(order)} limit scope.budget + 1`
  return sql`
    scope as materialized (
      select top.id as top, top.root_id, top.parent_id is null as whole, page.*
      from (select (select ${places}::text[]) as places, (select ${at}::timestamptz) as at,
          (select ${skip}::bigint) as skip, (select ${budget}::bigint) as budget offset 0) page,
        partner top
      where top.id = ${topId}
      offset 0
    ),
    due as materialized (
      select item.* from scope cross join lateral (
        (${selectOutdated(isEnded, "place_until")}) union all (${selectOutdated(isNotBegun, "place_from desc")})
      ) item
    ),
    overdue as materialized (
      select item.* from due item
      where (select whole from scope) or ${subtree(sql, topId).containsHashed(locationOfKey(sql))}
    )`
}

/**
 * Selects the stored counts of the scope by place, the pending changes, and the corrections for `overdue` applications.
 * `wanted` is a condition on a column `place`. A place can occur several times.
 */
const selectCounts = (sql: SqlClient.SqlClient, top: unknown, wanted: (place: string) => string): Fragment => {
  const topId = sql`(select ${top}::uuid)`
  const where = (place: string) => sql.literal(wanted(place))
  return sql`
      select stored.place, stored.applications from scope join application_place_count stored
        on stored.part = 'tree' and stored.part_id = scope.root_id
      where scope.whole and ${where("stored.place")}
      union all
      select stored.place, stored.applications from scope join subtree_region part on part.top_id = scope.top
        join application_place_count stored on stored.part = 'region' and stored.part_id = part.region_id
      where not scope.whole and ${where("stored.place")}
      union all
      select stored.place, stored.applications from scope join subtree_partner part on part.top_id = scope.top
        join application_place_count stored on stored.part = 'partner' and stored.part_id = part.partner_id
      where not scope.whole and ${where("stored.place")}
      union all
      select delta.place, delta.applications from scope join application_place_delta delta on delta.root_id = scope.root_id
      where ${where("delta.place")} and (scope.whole or ${
    subtree(sql, topId).containsHashed({ id: sql.literal("delta.partner_id"), region: sql.literal("delta.region_id") })
  })
      union all
      select overdue.place, -1 from overdue cross join scope where ${where("overdue.place")}
      union all
      select overdue.place_now, 1 from overdue cross join scope where ${where("overdue.place_now")}`
}

/**
 * Selects the keys of one page of the applications in some places, and reads the total from the stored counts. Defines
 * the tables `total` and `page`. Reads the first applications of each place in the order of the page, and merges them.
 * - `whole`: The scope is a whole tree.
 * - `walk`: The scope is a large share of a tree. Applications outside the scope are skipped. If the page is still
 * incomplete after a limited number of applications, `merge` is used.
 * - `merge`: Reads each part of the scope. If no index of a part has the order, reads all applications in the places.
 *
 * If the estimated cost exceeds that of examining `budget` records, the total is null and the page is empty.
 */
export const selectPlacedKeys = (
  sql: SqlClient.SqlClient,
  listing: ListedTable,
  size: number,
  page: PlacedPage,
  { indexes, keyOrder, keys }: PageOrder
): Fragment => {
  const topId = sql`(select ${page.top}::uuid)`
  const literalSize = sql.literal(String(Math.trunc(size)))
  const { isStored } = placeAt(sql, sql.literal("plan.at"))
  /** Selects the first applications of each place in order. Without a limit, selects all of them unordered. */
  const selectFirst = (within: Fragment, columns: Fragment, limit: Fragment | undefined): Fragment =>
    sql`select item.* from unnest(plan.places) wanted (place) cross join lateral (
        select ${columns} from application item
        where ${within} and item.place = wanted.place and ${isStored}
        ${limit === undefined ? sql.literal("") : sql`order by ${keyOrder} limit ${limit}`}
      ) item`
  const last = sql.literal("plan.last")
  const inTree = sql`item.root_id = plan.root_id`
  const isTreeIndexed = indexes !== "none"
  const mergedRecords = sql`least(exact, parts * cardinality(places) * last)`
  const mergeCost = indexes === "tree and regions"
    ? sql`parts * cardinality(places) * ${sql.literal(costs.part)} + ${mergedRecords} * ${sql.literal(costs.record)}`
    : sql`parts * cardinality(places) * ${sql.literal(costs.part)} + exact`
  const wholeCost = isTreeIndexed ? sql`cardinality(places) * last * ${sql.literal(costs.record)}` : sql`exact`
  const walkCost = isTreeIndexed ? sql`walked * ${sql.literal(costs.walked)}` : sql`'infinity'::float8`
  return sql`${selectScope(sql, page, keys)},
    plan as materialized (
      select priced.*, least(walked * ${sql.literal(walkLimitFactor)}, budget)::bigint as walk_limit, case
        when due > budget then 'over'
        when exact <= skip then 'none'
        when whole then case when least(exact, ${wholeCost}) > budget then 'over' else 'whole' end
        when ${walkCost} < merge_cost and ${walkCost} <= budget then 'walk'
        when merge_cost > budget then 'over'
        else 'merge'
      end as path
      from (
        select counted.*, last::float8 * of_root / greatest(exact, 1) as walked, ${mergeCost} as merge_cost
        from (
          select top, root_id, whole, places, at, skip, budget, skip + ${literalSize} as last,
            case when whole then 1 else (select count(*) from subtree_region where top_id = scope.top)
              + (select count(*) from subtree_partner where top_id = scope.top)
            end as parts,
            (select count(*) from due) as due,
            (select coalesce(sum(applications), 0)::bigint from (
              ${selectCounts(sql, page.top, (place) => `${place} = any(scope.places)`)}
            ) counts) as exact,
            (
              select coalesce(sum(stored.applications), 0) from application_place_count stored
              where stored.part = 'tree' and stored.part_id = scope.root_id and stored.place = any(scope.places)
            ) as of_root
          from scope
          offset 0
        ) counted
        offset 0
      ) priced
    ),
    walked as materialized (
      select item.* from plan cross join lateral (
        select item.* from (
          select item.* from (${
    selectFirst(
      inTree,
      sql`${keys}, item.partner_id as owner, item.region_id as region`,
      isTreeIndexed ? sql.literal("plan.walk_limit") : sql.literal("0")
    )
  }) item
          order by ${keyOrder} limit plan.walk_limit
        ) item
        where ${subtree(sql, topId).containsHashed(locationOfKey(sql))}
        order by ${keyOrder} limit ${last}
      ) item where plan.path = 'walk'
    ),
    chosen as materialized (
      select case
        when path <> 'walk' or (select count(*) from walked) = last then path
        when merge_cost > budget then 'over'
        else 'merge'
      end as path, exact from plan
    ),
    total as materialized (select case when path = 'over' then null else exact end as value from chosen),
    page as materialized (
      select item.id from (
        select item.* from plan cross join lateral (
          ${selectFirst(inTree, keys, isTreeIndexed ? last : undefined)}
        ) item where plan.path = 'whole'
        union all
        select ${keys} from walked item where (select path from chosen) = 'walk'
        union all
        select item.* from plan cross join lateral (
          ${
    selectParts(
      sql,
      listing,
      sql.literal("plan.top"),
      (within) => selectFirst(within, keys, indexes === "tree and regions" ? last : undefined)
    )
  }
        ) item where (select path from chosen) = 'merge'
        union all
        select ${keys} from overdue item cross join plan
        where (select path from chosen) not in ('none', 'over') and item.place_now = any(plan.places)
      ) item
      order by ${keyOrder} limit ${literalSize} offset (select skip from plan)
    )`
}

/**
 * Selects how many applications of the scope are in each of some places, from the stored counts. The total is null if
 * more applications than the budget have an outdated stored place. Returns one row without a place if there are none.
 */
export const selectPlaceCounts = (sql: SqlClient.SqlClient, page: PlacedPage): Fragment =>
  sql`
    with ${selectScope(sql, page, sql.literal("item.id"))}
    select counted.place, counted.applications,
      case when (select count(*) from due) > scope.budget then null else coalesce(counted.applications, 0) end as total
    from scope left join (
      select place, sum(applications)::bigint as applications from (
        ${selectCounts(sql, page.top, (place) => `${place} = any(scope.places)`)}
      ) counts group by place having sum(applications) <> 0
    ) counted on true`
