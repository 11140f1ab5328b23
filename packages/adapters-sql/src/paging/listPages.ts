import { type ListQuery, offsetOf, type Scope, type Slice, type SortBy } from "@lastro/domain"
import { Effect } from "effect"
import { type SqlClient } from "effect/sql"
import { type Fragment, type Statement } from "effect/sql/Statement"
import { orDie } from "../database/DatabaseFailure.ts"
import { keptText } from "../database/precompileStatement.ts"
import { type Listing } from "./Listing.ts"
import { filteredKeys, plainKeys, type PlainPage } from "./pageKeys.ts"

/** A row of a list query: a record beside the total, or the total alone when the page is empty. */
type ListRow<Row> =
  & { readonly total: bigint }
  & (
    | { readonly present: false }
    | { readonly present: true } & Row
  )

/**
 * Reads pages of a list, each with how many records there are in all, in one snapshot and one round trip. A statement
 * picks the keys of the page first and joins the rows after. `filters` are conditions on `item`.
 */
export const listPages = <Row extends object, Field extends string, Item>(
  sql: SqlClient.SqlClient,
  listing: Listing<Field>,
  item: (row: Row) => Item
) => {
  const rowsOf = (picked: Fragment, { by }: Order): Statement<ListRow<Row>> =>
    sql<ListRow<Row>>`
      with ${picked}
      select total.value as total, page.id is not null as present, ${sql.literal(listing.columns)}
      from total
      left join (page join ${sql.literal(listing.table)} item on item.id = page.id) on true
      order by ${sql.literal(by("item"))}`

  const plain = (page: PlainPage, sort: Sorts<Field>): Statement<ListRow<Row>> => {
    const order = orderOf(listing, sort)
    const indexed = indexedFor(listing, sort[0].property)
    return rowsOf(plainKeys(sql, listing, page, { ...fragmentsOf(sql, order), indexed }), order)
  }

  // Without filters the statement itself chooses its way, so one plan serves every scope.
  const kept = new Map<string, (values: Pick<PlainPage, "skip" | "top">) => Statement<ListRow<Row>>>()
  const keptPlain = (size: number, sort: Sorts<Field>) => {
    const [{ direction, property }] = sort
    const key = `${property} ${direction} ${size}`
    const known = kept.get(key)
    if (known !== undefined) return known
    const made = keptText(sql, ["top", "skip"], ({ skip, top }) => plain({ top, skip, size }, sort))
    kept.set(key, made)
    return made
  }

  /** With filters the planner has to know the values, and orders by several fields are too many to keep a plan for each. */
  const statementOf = <Filters>(
    { partner_id: top }: Scope,
    { page, sort }: ListQuery<Filters, Field>,
    filters: ReadonlyArray<Fragment>
  ): Statement<ListRow<Row>> | Statement<ListRow<Row>>["unprepared"] => {
    const skip = BigInt(offsetOf(page))
    if (filters.length === 0 && sort.length === 1) return keptPlain(page.size, sort)({ top, skip })
    if (filters.length === 0) return plain({ top, skip, size: page.size }, sort).unprepared
    const order = orderOf(listing, sort)
    return rowsOf(filteredKeys(sql, listing, top, page, filters, fragmentsOf(sql, order)), order).unprepared
  }

  return <Filters>(
    scope: Scope,
    query: ListQuery<Filters, Field>,
    filters: ReadonlyArray<Fragment>
  ): Effect.Effect<Slice<Item>> =>
    Effect.map(orDie(statementOf(scope, query, filters)), (rows) => ({
      items: rows.flatMap((row) => row.present ? [item(row)] : []),
      total: Number(rows[0]?.total ?? 0)
    }))
}

type Sorts<Field extends string> = ListQuery<unknown, Field>["sort"]

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

const fragmentsOf = (sql: SqlClient.SqlClient, { by, keys }: Order) => ({
  keys: sql.literal(keys),
  keyOrder: sql.literal(by("item"))
})
