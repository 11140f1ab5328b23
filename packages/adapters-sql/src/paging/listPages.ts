import { type SubtreeScope } from "@lastro/domain/hierarchy"
import { type ListQuery, type ListSlice, offsetOf, type SortBy } from "@lastro/domain/paging"
import { Effect } from "effect"
import { type SqlClient } from "effect/sql"
import { type SqlError } from "effect/sql/SqlError"
import { type Fragment, type Statement } from "effect/sql/Statement"
import { orDie } from "../database/DatabaseFailure.ts"
import { precompileStatement } from "../database/precompileStatement.ts"
import { type Listing } from "./Listing.ts"
import { selectFilteredKeys, selectUnfilteredKeys, type UnfilteredPage } from "./pageKeys.ts"

/** A row of a list query: a record with the total, or only the total if the page is empty. */
type ListRow<Row> =
  & { readonly total: bigint }
  & (
    | { readonly present: false }
    | { readonly present: true } & Row
  )

/** Returns the `like` pattern that finds a text at any position. Wildcards in the text are escaped. */
export const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, "\\$&")}%`

/**
 * Returns a function that reads one page of a list and the total number of records, in one snapshot and one round trip.
 * The statement first selects the keys of the page, then joins their rows. `filters` are conditions on `item`.
 */
export const listPages = <Row extends object, Field extends string, Item>(
  sql: SqlClient.SqlClient,
  listing: Listing<Field>,
  toItem: (row: Row) => Item
) => {
  const selectRows = (keys: Fragment, { by }: Order): Statement<ListRow<Row>> =>
    sql<ListRow<Row>>`
      with ${keys}
      select total.value as total, page.id is not null as present, ${sql.literal(listing.columns)}
      from total
      left join (page join ${sql.literal(listing.table)} item on item.id = page.id) on true
      order by ${sql.literal(by("item"))}`

  const buildUnfiltered = (page: UnfilteredPage, sort: Sorts<Field>): Statement<ListRow<Row>> => {
    const order = orderOf(listing, sort)
    const indexed = indexedFor(listing, sort[0].property)
    return selectRows(selectUnfilteredKeys(sql, listing, page, { ...fragmentsOf(sql, order), indexed }), order)
  }

  // An unfiltered statement chooses its access path when it runs, so one plan serves every scope.
  const precompiled = new Map<
    string,
    (values: Pick<UnfilteredPage, "skip" | "top">) => Effect.Effect<ReadonlyArray<ListRow<Row>>, SqlError>
  >()
  const precompileUnfiltered = (size: number, sort: Sorts<Field>) => {
    const [{ direction, property }] = sort
    const key = `${property} ${direction} ${size}`
    const existing = precompiled.get(key)
    if (existing !== undefined) return existing
    const statement = precompileStatement(
      sql,
      ["top", "skip"],
      ({ skip, top }) => buildUnfiltered({ top, skip, size }, sort)
    )
    precompiled.set(key, statement)
    return statement
  }

  /**
   * Builds the statement of a page. A statement with filters is not prepared, because the best plan depends on the
   * values. A statement that sorts by several fields is not prepared either, because there are too many combinations to
   * keep a plan for each.
   */
  const buildStatement = <Filters>(
    { partner_id: top }: SubtreeScope,
    { page, sort }: ListQuery<Filters, Field>,
    filters: ReadonlyArray<Fragment>
  ): Effect.Effect<ReadonlyArray<ListRow<Row>>, SqlError> => {
    const skip = BigInt(offsetOf(page))
    if (filters.length === 0 && sort.length === 1) return precompileUnfiltered(page.size, sort)({ top, skip })
    if (filters.length === 0) return buildUnfiltered({ top, skip, size: page.size }, sort).unprepared
    const order = orderOf(listing, sort)
    return selectRows(selectFilteredKeys(sql, listing, top, page, filters, fragmentsOf(sql, order)), order).unprepared
  }

  return <Filters>(
    scope: SubtreeScope,
    query: ListQuery<Filters, Field>,
    filters: ReadonlyArray<Fragment>
  ): Effect.Effect<ListSlice<Item>> =>
    Effect.map(orDie(buildStatement(scope, query, filters)), (rows) => ({
      items: rows.flatMap((row) => row.present ? [toItem(row)] : []),
      total: Number(rows[0]?.total ?? 0)
    }))
}

type Sorts<Field extends string> = ListQuery<unknown, Field>["sort"]

const indexedFor = <Field extends string>(listing: Listing<Field>, property: Field) =>
  listing.indexedInRegion.includes(property) ? "tree and regions" : listing.indexed.includes(property) ? "tree" : "no"

interface Order {
  /** The sort columns of `item`, including the id. */
  readonly keys: string
  /** The `order by` list for a table alias. */
  readonly by: (alias: string) => string
}

const orderOf = <Field extends string>(listing: Listing<Field>, sort: ReadonlyArray<SortBy<Field>>): Order => {
  const steps = sort.map(({ direction, property }) => ({ column: listing.sorts[property], direction }))
  // The id breaks ties. It is sorted in the direction of the last field.
  const all = [...steps, { column: "id", direction: sort.at(-1)?.direction ?? "asc" }]
  return {
    keys: [...new Set(all.map(({ column }) => `item.${column}`))].join(", "),
    by: (alias) => all.map(({ column, direction }) => `${alias}.${column} ${direction}`).join(", ")
  }
}

const fragmentsOf = (sql: SqlClient.SqlClient, { by, keys }: Order) => ({
  keys: sql.literal(keys),
  keyOrder: sql.literal(by("item"))
})
