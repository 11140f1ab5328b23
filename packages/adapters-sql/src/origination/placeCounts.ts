import { type SubtreeScope } from "@lastro/domain/hierarchy"
import { type LoanPlace, placesFor } from "@lastro/domain/loan"
import { type ApplicationQuery } from "@lastro/domain/origination"
import { CostlyAbove, ReadBudgetExceeded } from "@lastro/domain/ports"
import { Effect } from "effect"
import { type SqlClient } from "effect/sql"
import { type Fragment } from "effect/sql/Statement"
import { orDie } from "../database/DatabaseFailure.ts"
import { isLean } from "../database/postgres/LeanClient.ts"
import { precompileStatement, runUnprepared } from "../database/postgres/statements.ts"
import { type AppliedFilter, appliedFilters, placeAt } from "../paging/appliedFilters.ts"
import { selectBoundedKeys } from "../paging/boundedKeys.ts"
import { selectCostlyKeys } from "../paging/costlyKeys.ts"
import { maxBudget } from "../paging/listPages.ts"
import { type PageOrder } from "../paging/pageOrder.ts"
import { selectPlaceCounts } from "../paging/placedKeys.ts"
import { listing, toListFilters } from "./applicationListing.ts"

/** The number of applications in a place. If the scope has none, there is one row without a place. */
interface CountRow {
  readonly place: LoanPlace | null
  readonly applications: bigint | null
  /** Null if the read would exceed its budget. */
  readonly total: bigint | null
}

type Query = Pick<ApplicationQuery, "at" | "filters">

/** Converts the rows to counts. Returns undefined if the query stopped at its budget. */
const countsOf = (rows: ReadonlyArray<CountRow>): ReadonlyMap<LoanPlace, number> | undefined =>
  rows.some(({ total }) => total === null) ? undefined : new Map(
    rows.flatMap(({ applications, place }) => place === null ? [] : [[place, Number(applications ?? 0)] as const])
  )

/**
 * Returns a function that counts the applications in a scope by place. The counts are stored for no filters, and for
 * filters by status, next action and proposal status alone. With other filters, the matches are counted one by one.
 */
const countsIn = (sql: SqlClient.SqlClient) => {
  const columns = ["id", "place", "place_from", "place_until", "course"]
  const order: PageOrder = {
    columns,
    keys: sql.literal(columns.map((column) => `item.${column}`).join(", ")),
    keyOrder: sql.literal("item.id"),
    steps: [],
    direction: "asc",
    indexes: "none"
  }

  const selectStored = precompileStatement<CountRow, "at" | "budget" | "places" | "top">(
    sql,
    ["top", "places", "at", "budget"],
    (values) => sql<CountRow>`${selectPlaceCounts(sql, { ...values, skip: sql.literal("0") })}`
  )

  /** Counts the rows of the table `matched` that the statement for keys defines. */
  const countMatched = (keys: Fragment, at: Query["at"]) => {
    const { isStored, place } = placeAt(sql, sql`(select ${at}::timestamptz)`)
    return sql<CountRow>`
      with ${keys}
      select total.value as total, counted.place, counted.applications
      from total left join (
        select case when ${isStored} then item.place else ${place} end as place, count(*) as applications
        from matched item group by 1
      ) counted on true`
  }

  const countFiltered = Effect.fnUntraced(function*(
    { partner_id: top }: SubtreeScope,
    filters: ReadonlyArray<AppliedFilter>,
    at: Query["at"],
    budget: number
  ) {
    const page = { top, skip: 0n, size: 0n, budget: BigInt(Math.min(budget, yield* CostlyAbove)) }
    const bounded = runUnprepared(sql, countMatched(selectBoundedKeys(sql, listing, filters, page, order), at))
    const counts = countsOf(yield* orDie(bounded))
    if (counts !== undefined) return counts
    if (budget !== Number.POSITIVE_INFINITY) return yield* new ReadBudgetExceeded()
    const costly = selectCostlyKeys(sql, listing, filters, { top, skip: 0, size: 1 }, order)
    return countsOf(yield* orDie(countMatched(costly, at).unprepared)) ?? new Map<LoanPlace, number>()
  })

  return Effect.fnUntraced(function*(scope: SubtreeScope, { at, filters }: Query, budget = Number.POSITIVE_INFINITY) {
    const { next_action, proposal_status, status, ...others } = filters
    if (Object.keys(others).length === 0) {
      const stored = yield* orDie(selectStored({
        top: scope.partner_id,
        places: placesFor({
          ...next_action === undefined ? {} : { next_action },
          ...proposal_status === undefined ? {} : { proposal_status },
          ...status === undefined ? {} : { status }
        }),
        at,
        budget: BigInt(Math.min(budget, maxBudget))
      }))
      const counts = countsOf(stored)
      if (counts !== undefined) return counts
    }
    return yield* countFiltered(scope, appliedFilters(listing.filters, toListFilters({ at, filters })), at, budget)
  })
}

/** Returns a function that counts the applications in a scope by place. It reads from the standby if there is one. */
export const countPlaces = (sql: SqlClient.SqlClient) => {
  const onPrimary = countsIn(sql)
  const replica = isLean(sql) ? sql.replica : undefined
  if (replica === undefined) return onPrimary
  const onReplica = countsIn(replica.sql)
  return (scope: SubtreeScope, query: Query, budget?: number) =>
    replica.read(onReplica(scope, query, budget), onPrimary(scope, query, budget))
}
