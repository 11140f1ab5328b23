import { type SubtreeScope } from "@lastro/domain/hierarchy"
import { type ListPosition, type ListQuery, type ListSlice } from "@lastro/domain/input"
import { CostlyAbove, ReadBudgetExceeded } from "@lastro/domain/ports"
import { Effect } from "effect"
import { type SqlClient } from "effect/sql"
import { type Fragment } from "effect/sql/Statement"
import { orDie } from "../database/DatabaseFailure.ts"
import { selectParts } from "../hierarchy/subtree.ts"
import { type AppliedFilter, appliedFilters, conditionOf } from "./appliedFilters.ts"
import { selectBoundedKeys } from "./boundedKeys.ts"
import { type Listing } from "./Listing.ts"
import { pageOrder } from "./pageOrder.ts"
import { followingRanges, selectPosition } from "./walkRange.ts"

type WalkQuery<Filters, Field extends string> =
  & ListQuery<Filters, Field>
  & { readonly after: ListPosition | null }

/** A row of a page after a cursor. */
export type WalkRow<Row> = Row & { readonly position: ReadonlyArray<string | null> }

/**
 * Converts the rows of a page after a cursor. The query returns one more row than the page if further records exist.
 */
export const walkSlice = <Row, Item>(
  rows: ReadonlyArray<WalkRow<Row>>,
  size: number,
  toItem: (row: Row) => Item
): ListSlice<Item> => {
  const page = rows.slice(0, size)
  return {
    items: page.map(toItem),
    total: page.length,
    next: rows.length > size ? page.at(-1)?.position ?? null : null
  }
}

/** Selects the first records of `select` for each range, in their order. */
const selectRanges = (
  sql: SqlClient.SqlClient,
  ranges: ReadonlyArray<Fragment>,
  select: (range: Fragment) => Fragment
): Fragment => {
  const [first = sql`false`, ...others] = ranges
  return others.reduce((all, range) => sql`${all} union all (${select(range)})`, sql`(${select(first)})`)
}

/**
 * Returns a function that reads the page after a position. It counts nothing, so with an index in the order of the
 * list, every page costs the same.
 *
 * The database plans each page for its own values. With filters, or without such an index, it first tries to read the
 * page within the budget of examined records.
 */
export const walkPagesOf = <Row extends object, Field extends string, Filters extends object, Item>(
  sql: SqlClient.SqlClient,
  listing: Listing<Field, Filters>,
  toItem: (row: Row) => Item
) => {
  const table = sql.literal(listing.table)
  const present = sql.literal(listing.present)

  const orderOf = ({ after, sort }: WalkQuery<Filters, Field>) => {
    const order = pageOrder(sql, listing, sort)
    return { ...order, ranges: after === null ? [sql`true`] : followingRanges(sql, order.steps, after) }
  }

  /** Joins the rows of the keys in the table `page`. */
  const selectRows = (keys: Fragment, { keyOrder, steps }: ReturnType<typeof orderOf>) =>
    orDie(
      sql<WalkRow<Row>>`
        with ${keys}
        select ${sql.literal(listing.columns)}, ${selectPosition(sql, steps)}
        from page join ${table} item on item.id = page.id order by ${keyOrder}`.unprepared
    )

  /** Selects the page from the index of the tree, or of each part of the scope, without a budget. */
  const readInOrder = (
    { partner_id: top }: SubtreeScope,
    query: WalkQuery<Filters, Field>,
    filters: ReadonlyArray<AppliedFilter>
  ) => {
    const order = orderOf(query)
    const { keyOrder, keys, ranges } = order
    const limit = sql.literal(String(query.page.size + 1))
    const matching = sql.and([present, ...filters.map(conditionOf(sql))])
    const first = (within: Fragment, range: Fragment) =>
      sql`select ${keys} from ${table} item where ${within} and ${matching} and ${range}
        order by ${keyOrder} limit ${limit}`
    const isWhole = sql`(select whole from scope)`
    return selectRows(
      sql`
        scope as materialized (select parent_id is null as whole from partner where id = ${top}::uuid),
        page as materialized (
          select item.id from (
            ${selectRanges(sql, ranges, (range) => first(sql`${isWhole} and item.root_id = ${top}::uuid`, range))}
            union all
            select ${keys} from (${
        selectParts(sql, listing, sql`${top}::uuid`, (within) =>
          sql`select item.* from (${
            selectRanges(sql, ranges, (range) =>
              first(within, range))
          }) item order by ${keyOrder} limit ${limit}`)
      }) item where not ${isWhole}
          ) item order by ${keyOrder} limit ${limit}
        )`,
      order
    )
  }

  /** Reads the page and examines at most `budget` records. Returns undefined if that is not enough. */
  const readBounded = (
    { partner_id: top }: SubtreeScope,
    query: WalkQuery<Filters, Field>,
    filters: ReadonlyArray<AppliedFilter>,
    budget: number
  ) => {
    const order = orderOf(query)
    const { keyOrder, ranges, steps } = order
    const keys = selectBoundedKeys(sql, listing, filters, {
      top,
      skip: 0n,
      size: BigInt(query.page.size + 1),
      budget: BigInt(budget),
      following: sql.or(ranges)
    }, order)
    return Effect.map(
      orDie(
        sql<WalkRow<Row> & { readonly total: bigint | null; readonly present: boolean }>`
          with ${keys}
          select total.value as total, page.id is not null as present, ${sql.literal(listing.columns)},
            ${selectPosition(sql, steps)}
          from total left join (page join ${table} item on item.id = page.id) on true
          order by ${keyOrder}`.unprepared
      ),
      (rows) => rows[0]?.total === null ? undefined : rows.filter(({ present }) => present)
    )
  }

  const isWholeTree = ({ partner_id }: SubtreeScope) =>
    Effect.map(
      orDie(sql<{ readonly whole: boolean }>`select parent_id is null as whole from partner where id = ${partner_id}`),
      ([partner]) => partner?.whole === true
    )

  return Effect.fnUntraced(function*(
    scope: SubtreeScope,
    query: WalkQuery<Filters, Field>,
    budget = Number.POSITIVE_INFINITY
  ): Effect.fn.Return<ListSlice<Item>, ReadBudgetExceeded> {
    const filters = appliedFilters<Filters>(listing.filters, query.filters)
    const partition = listing.partitionOf?.(query.filters)
    const { indexes } = pageOrder(sql, listing, query.sort)
    // Applications with live and with expired offers share an index range, in which one kind can be rare.
    const isIndexed = filters.length === 0 || partition !== undefined && partition.expiring === undefined
    const isInOrder = isIndexed && indexes !== "none" &&
      (indexes === "tree and regions" || (yield* isWholeTree(scope)))
    if (!isInOrder) {
      const rows = yield* readBounded(scope, query, filters, Math.min(budget, yield* CostlyAbove))
      if (rows !== undefined) return walkSlice(rows, query.page.size, toItem)
      if (budget !== Number.POSITIVE_INFINITY) return yield* new ReadBudgetExceeded()
    }
    return walkSlice(yield* readInOrder(scope, query, filters), query.page.size, toItem)
  })
}
