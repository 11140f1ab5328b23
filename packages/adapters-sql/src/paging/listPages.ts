import { type SubtreeScope } from "@lastro/domain/hierarchy"
import { type ListQuery, type ListSlice, offsetOf } from "@lastro/domain/input"
import { CostlyAbove, ReadBudgetExceeded } from "@lastro/domain/ports"
import { Effect } from "effect"
import { type SqlClient } from "effect/sql"
import { type SqlError } from "effect/sql/SqlError"
import { type Fragment, type Statement } from "effect/sql/Statement"
import { orDie } from "../database/DatabaseFailure.ts"
import { isLean } from "../database/postgres/LeanClient.ts"
import { precompileStatement, runUnprepared } from "../database/postgres/statements.ts"
import { countInColumn } from "../hierarchy/countOf.ts"
import { type AppliedFilter, appliedFilters, hasSecond, hiddenConditionOf } from "./appliedFilters.ts"
import { selectBoundedKeys } from "./boundedKeys.ts"
import { selectCostlyKeys } from "./costlyKeys.ts"
import { firstPagesOf } from "./firstPages.ts"
import { type Listing, type Partition } from "./Listing.ts"
import { ListStatements } from "./ListStatements.ts"
import { type PageOrder, pageOrder, type Sorts } from "./pageOrder.ts"
import { type AccessPath } from "./PathHints.ts"
import { placedPagesOf } from "./placedPages.ts"
import { type AppliedPartition, selectUnfilteredKeys } from "./unfilteredKeys.ts"
import { walkPagesOf } from "./walkPages.ts"

/**
 * A row of a list query: a record with the total, or only the total if the page is empty. The total is null if the read
 * would exceed its budget.
 */
type ListRow<Row> =
  & { readonly total: bigint | null; readonly path?: AccessPath }
  & (
    | { readonly present: false }
    | { readonly present: true } & Row
  )

/** The values of a list statement, by placeholder. */
type Values = Readonly<Record<string, unknown>>

/** Returns the values that filters bind, by placeholder. */
const valuesOf = (filters: ReadonlyArray<AppliedFilter>): Values =>
  Object.fromEntries(filters.flatMap((filter) => [
    [`filter ${filter.name}`, filter.value] as const,
    ...(hasSecond(filter) ? [[`second ${filter.name}`, filter.second] as const] : [])
  ]))

/** Returns a copy of a filter with placeholders instead of values. */
const withPlaceholders = (placeholders: Values) => (filter: AppliedFilter): AppliedFilter => ({
  ...filter,
  value: placeholders[`filter ${filter.name}`],
  second: placeholders[`second ${filter.name}`]
})

/**
 * Returns the condition of a partition on `item`, the SQL expression of its count, and the time that decides which
 * records have expired.
 */
const applyPartition = (
  sql: SqlClient.SqlClient,
  { count, expiring }: Partition,
  filters: ReadonlyArray<AppliedFilter>
): AppliedPartition => {
  const bound = filters.find(({ name }) => name === expiring?.bound)
  const countFilter = typeof count === "string" ? undefined : filters.find(({ name }) => name === count.filter)
  return {
    count: typeof count === "string" ? countInColumn(sql, count) : (alias) => {
      const cases = Object.entries(count.columns).map(([value, column]) => `when '${value}' then ${alias}.${column}`)
      return sql`case (select ${countFilter?.value}::text) ${sql.literal(cases.join(" "))} end`
    },
    condition: sql.and(filters.map(hiddenConditionOf(sql))),
    ...expiring !== undefined && bound !== undefined
      ? { expiring: { ...expiring, before: sql`(select ${bound.value}::timestamptz)` } }
      : {}
  }
}

/** A budget that no read reaches. */
export const maxBudget = Number.MAX_SAFE_INTEGER

/**
 * Returns a function that reads one page of a list and the total in one snapshot. It reads from the standby if there is
 * one and it is up to date.
 */
export const listPages = <Row extends object, Field extends string, Filters extends object, Item>(
  sql: SqlClient.SqlClient,
  listing: Listing<Field, Filters>,
  toItem: (row: Row) => Item
) => {
  const onPrimary = withWalks(sql, listing, toItem)
  const replica = isLean(sql) ? sql.replica : undefined
  if (replica === undefined) return onPrimary
  const onReplica = withWalks(replica.sql, listing, toItem)
  return (scope: SubtreeScope, query: ListQuery<Filters, Field>, budget?: number) =>
    replica.read(onReplica(scope, query, budget), onPrimary(scope, query, budget))
}

/** Reads a page by its number, or the page after a cursor. */
const withWalks = <Row extends object, Field extends string, Filters extends object, Item>(
  sql: SqlClient.SqlClient,
  listing: Listing<Field, Filters>,
  toItem: (row: Row) => Item
) => {
  const readPage = pagesOf(sql, listing, toItem)
  const readWalk = walkPagesOf(sql, listing, toItem)
  return (
    scope: SubtreeScope,
    query: ListQuery<Filters, Field>,
    budget?: number
  ): Effect.Effect<ListSlice<Item>, ReadBudgetExceeded> =>
    query.after === undefined
      ? readPage(scope, query, budget)
      : readWalk(scope, { ...query, after: query.after }, budget)
}

/**
 * Returns a function that reads one page of a list and the total, in one snapshot and one round trip. The statement
 * first selects the keys of the page, and then joins their rows. It is prepared if its combination of filters, sort and
 * page size is used repeatedly. A read that would exceed its budget stops early.
 */
const pagesOf = <Row extends object, Field extends string, Filters extends object, Item>(
  sql: SqlClient.SqlClient,
  listing: Listing<Field, Filters>,
  toItem: (row: Row) => Item
) => {
  type Page = Effect.Effect<ReadonlyArray<ListRow<Row>>, SqlError>
  const statements = new ListStatements<(values: Values) => Page>()

  const selectRows = (keys: Fragment, { keyOrder }: PageOrder, path: string = ""): Statement<ListRow<Row>> =>
    sql<ListRow<Row>>`
      with ${keys}
      select total.value as total, ${sql.literal(path)}page.id is not null as present, ${sql.literal(listing.columns)}
      from total
      left join (page join ${sql.literal(listing.table)} item on item.id = page.id) on true
      order by ${keyOrder}`

  const build = (
    sort: Sorts<Field>,
    size: number,
    filters: ReadonlyArray<AppliedFilter>,
    values: Values,
    partition: Partition | undefined
  ) => {
    const order = pageOrder(sql, listing, sort)
    const { budget, skip, top } = values
    if (filters.length > 0 && partition === undefined) {
      const page = { top, skip, size: values["size"], budget }
      return selectRows(selectBoundedKeys(sql, listing, filters, page, order), order)
    }
    const applied = partition === undefined ? undefined : applyPartition(sql, partition, filters)
    const keys = selectUnfilteredKeys(sql, listing, { top, skip, size, budget }, order, applied)
    return selectRows(keys, order, filters.length === 0 && budget === undefined ? "total.path, " : "")
  }

  /**
   * Builds a statement that examines no more records than its budget. It chooses its access path when it runs, so one
   * plan serves every scope.
   */
  const boundedStatement = (
    { page, sort }: ListQuery<Filters, Field>,
    filters: ReadonlyArray<AppliedFilter>,
    fixed: Values,
    partition?: Partition
  ): Page => {
    const { size } = page
    const values: Values = { ...fixed, ...valuesOf(filters) }
    const once = () => runUnprepared(sql, build(sort, size, filters, values, partition))
    // Sorts by several fields have too many combinations to keep a plan for each.
    if (sort.length > 1) return once()
    const [{ direction, property }] = sort
    const names = filters.map(({ name }) => name).join(" ")
    // Only `selectBoundedKeys` has the page size as a parameter. The other statements contain it.
    const literalSize = filters.length > 0 && partition === undefined ? "" : size
    const shape = `${property} ${direction} ${names} ${literalSize} ${"budget" in fixed ? "budget" : ""}`
    const statement = statements.find(shape, () =>
      precompileStatement(
        sql,
        Object.keys(values),
        (placeholders: Values) =>
          build(sort, size, filters.map(withPlaceholders(placeholders)), placeholders, partition)
      ))
    return statement?.(values) ?? once()
  }

  const costlyStatement = (
    { partner_id: top }: SubtreeScope,
    { page, sort }: ListQuery<Filters, Field>,
    filters: ReadonlyArray<AppliedFilter>
  ): Page => {
    const order = pageOrder(sql, listing, sort)
    const keys = selectCostlyKeys(sql, listing, filters, { top, skip: offsetOf(page), size: page.size }, order)
    return selectRows(keys, order).unprepared
  }

  /** Converts the rows of a page. Returns undefined if the query stopped at its budget. */
  const sliceOf = (rows: ReadonlyArray<ListRow<Row>>): ListSlice<Item> | undefined => {
    const [first] = rows
    // No row: the partner of the scope does not exist.
    if (first === undefined) return { items: [], total: 0 }
    if (first.total === null) return undefined
    return { items: rows.flatMap((row) => row.present ? [toItem(row)] : []), total: Number(first.total) }
  }

  /** Reads a page. Returns undefined if the query stopped at its budget. */
  const read = (statement: Page): Effect.Effect<ListSlice<Item> | undefined> => Effect.map(orDie(statement), sliceOf)

  const readUnfiltered = (scope: SubtreeScope, query: ListQuery<Filters, Field>, budget: number) => {
    const skip = BigInt(offsetOf(query.page))
    const [{ property }] = query.sort
    const canBeCostly = skip > 0n || query.sort.length > 1 || !listing.indexedInRegion.includes(property)
    if (!canBeCostly) return readFirstPage(scope, query)
    return Effect.flatMap(
      read(boundedStatement(query, [], { top: scope.partner_id, skip, budget: BigInt(Math.min(budget, maxBudget)) })),
      (slice) => slice === undefined ? Effect.fail(new ReadBudgetExceeded()) : Effect.succeed(slice)
    )
  }

  /** Reads the first page with the statement that contains all access paths. */
  const readGeneral = ({ partner_id: top }: SubtreeScope, query: ListQuery<Filters, Field>) =>
    Effect.map(orDie(boundedStatement(query, [], { top, skip: 0n })), (rows) => ({
      slice: sliceOf(rows) ?? { items: [], total: 0 },
      path: rows[0]?.path
    }))

  const readFirstPage = firstPagesOf(sql, listing, toItem, readGeneral)

  /**
   * Reads a page of a partition from its special indexes and stored counts. In two cases, the page is read like that of
   * any other filtered list: if the read would exceed its budget, and if the stored counts already include offers that
   * expired after the time of the query.
   */
  const readPartition = (
    scope: SubtreeScope,
    query: ListQuery<Filters, Field>,
    filters: ReadonlyArray<AppliedFilter>,
    partition: Partition,
    budget: number
  ) =>
    Effect.flatMap(
      read(boundedStatement(query, filters, {
        top: scope.partner_id,
        skip: BigInt(offsetOf(query.page)),
        budget: BigInt(Math.min(budget, maxBudget))
      }, partition)),
      (slice) => slice === undefined ? readFiltered(scope, query, filters, budget) : Effect.succeed(slice)
    )

  const placedPage = placedPagesOf(sql, listing, selectRows)

  /**
   * Reads a page of a filter by place from its special indexes. If that would exceed the budget, reads it like a page
   * of any other filtered list.
   */
  const readPlaced = (
    scope: SubtreeScope,
    query: ListQuery<Filters, Field>,
    placed: AppliedFilter,
    budget: number
  ) =>
    Effect.flatMap(
      read(placedPage(scope, query, placed, BigInt(Math.min(budget, maxBudget)))),
      (slice) => slice === undefined ? readFiltered(scope, query, [placed], budget) : Effect.succeed(slice)
    )

  const readFiltered = Effect.fnUntraced(function*(
    scope: SubtreeScope,
    query: ListQuery<Filters, Field>,
    filters: ReadonlyArray<AppliedFilter>,
    budget: number
  ) {
    const slice = yield* read(boundedStatement(query, filters, {
      top: scope.partner_id,
      skip: BigInt(offsetOf(query.page)),
      size: BigInt(query.page.size),
      budget: BigInt(Math.min(budget, yield* CostlyAbove))
    }))
    if (slice !== undefined) return slice
    if (budget !== Number.POSITIVE_INFINITY) return yield* new ReadBudgetExceeded()
    return (yield* read(costlyStatement(scope, query, filters))) ?? (yield* Effect.die("A list without a total"))
  })

  return (
    scope: SubtreeScope,
    query: ListQuery<Filters, Field>,
    budget = Number.POSITIVE_INFINITY
  ): Effect.Effect<ListSlice<Item>, ReadBudgetExceeded> =>
    Effect.suspend(() => {
      const filters = appliedFilters<Filters>(listing.filters, query.filters)
      if (filters.length === 0) return readUnfiltered(scope, query, budget)
      // No special index has the order of several fields.
      if (query.sort.length > 1) return readFiltered(scope, query, filters, budget)
      const places = listing.placesOf?.(query.filters)
      const placed = places === undefined ? undefined : filters.find(({ match }) => match === "placed")
      if (placed !== undefined) return readPlaced(scope, query, placed, budget)
      const partition = listing.partitionOf?.(query.filters)
      if (partition !== undefined) return readPartition(scope, query, filters, partition, budget)
      return readFiltered(scope, query, filters, budget)
    })
}
