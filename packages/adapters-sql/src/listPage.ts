import { type ListQuery, type Scope, type Slice, type SortBy } from "@lastro/domain"
import { Effect } from "effect"
import { type SqlClient } from "effect/sql"
import { type Fragment } from "effect/sql/Statement"
import { orDie } from "./DatabaseFailure.ts"
import { type Listing } from "./Listing.ts"
import { filteredKeys, plainKeys } from "./pageKeys.ts"

/** A row of a list query: a record beside the total, or the total alone when the page is empty. */
type ListRow<Row> =
  & { readonly total: bigint }
  & (
    | { readonly present: false }
    | { readonly present: true } & Row
  )

/**
 * Reads one page of a list and how many there are in all, in one snapshot and one round trip. It picks the keys of the
 * page first and joins the rows after. `filters` are conditions on `item`.
 */
export const listPage = <Row extends object, Field extends string, Filters, Item>(
  sql: SqlClient.SqlClient,
  listing: Listing<Field>,
  scope: Scope,
  query: ListQuery<Filters, Field>,
  filters: ReadonlyArray<Fragment>,
  item: (row: Row) => Item
): Effect.Effect<Slice<Item>> => {
  const order = orderOf(listing, query.sort)
  const parts = { keys: sql.literal(order.keys), keyOrder: sql.literal(order.by("item")) }
  const picked = filters.length > 0
    ? filteredKeys(sql, listing, scope, query.page, filters, parts)
    : plainKeys(sql, listing, scope, query.page, { ...parts, indexed: indexedFor(listing, query.sort[0].property) })
  const statement = sql<ListRow<Row>>`
    with ${picked}
    select total.value as total, page.id is not null as present, ${sql.literal(listing.columns)}
    from total
    left join (page join ${sql.literal(listing.table)} item on item.id = page.id) on true
    order by ${parts.keyOrder}`
  // Without filters the statement itself chooses its way, so one plan serves every scope. With filters the planner has to
  // know the values, and orders by several fields are too many to keep a plan for each.
  const rows = filters.length > 0 || query.sort.length > 1 ? statement.unprepared : statement
  return Effect.map(orDie(rows), (rows) => ({
    items: rows.flatMap((row) => row.present ? [item(row)] : []),
    total: Number(rows[0]?.total ?? 0)
  }))
}

const indexedFor = <Field extends string>(listing: Listing<Field>, property: Field) =>
  listing.indexedInRegion.includes(property) ? "tree and regions" : listing.indexed.includes(property) ? "tree" : "no"

interface Order {
  /** The columns that are sorted by, of `item`, the id among them. */
  readonly keys: string
  /** The `order by` list, of the columns of a table or alias. */
  readonly by: (alias: string) => string
}

const orderOf = <Field extends string>(listing: Listing<Field>, sort: ReadonlyArray<SortBy<Field>>): Order => {
  const steps = sort.map(({ direction, property }) => ({ column: listing.sorts[property], direction }))
  // Ties are broken by id in the direction of the last sort; after the id itself nothing can tie.
  const all = [...steps, { column: "id", direction: sort.at(-1)?.direction ?? "asc" }]
  return {
    keys: [...new Set(all.map(({ column }) => `item.${column}`))].join(", "),
    by: (alias) => all.map(({ column, direction }) => `${alias}.${column} ${direction}`).join(", ")
  }
}
