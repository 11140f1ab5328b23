import { type ListQuery, type SortBy, type SortDirection } from "@lastro/domain/input"
import { type SqlClient } from "effect/sql"
import { type Fragment } from "effect/sql/Statement"
import { type Listing } from "./Listing.ts"
import { type OrderStep } from "./walkRange.ts"

export type Sorts<Field extends string> = ListQuery<unknown, Field>["sort"]

/** The indexes in the order of a page: per tree and per region, per tree only, or none. */
type OrderIndexes = "tree and regions" | "tree" | "none"

export interface PageOrder {
  /** The sort columns of `item`, including the id. */
  readonly columns: ReadonlyArray<string>
  /** The same columns, as an SQL list. */
  readonly keys: Fragment
  /** The content of the `order by` clause. */
  readonly keyOrder: Fragment
  /** The columns with their directions. The unique id is the last one. */
  readonly steps: ReadonlyArray<OrderStep>
  /** The direction of the last field. */
  readonly direction: SortDirection
  /** The indexes that have this order. */
  readonly indexes: OrderIndexes
}

const indexesFor = <Field extends string, Filters>(
  { indexed, indexedInRegion }: Listing<Field, Filters>,
  sort: ReadonlyArray<SortBy<Field>>
): OrderIndexes => {
  const [first, ...others] = sort
  if (first === undefined || others.length > 0) return "none"
  if (indexedInRegion.includes(first.property)) return "tree and regions"
  return indexed.includes(first.property) ? "tree" : "none"
}

/** Returns the order of a page. The id breaks ties, in the direction of the last field. */
export const pageOrder = <Field extends string, Filters>(
  sql: SqlClient.SqlClient,
  listing: Listing<Field, Filters>,
  sort: Sorts<Field>
): PageOrder => {
  const fields = sort.map(({ direction, property }) => ({
    column: listing.sorts[property],
    direction,
    nulls: listing.nullsLast?.includes(property) === true ? " nulls last" : ""
  }))
  const direction = sort.at(-1)?.direction ?? "asc"
  const all = [...fields, { column: "id", direction, nulls: "" }]
  const distinct = all.filter(({ column }, index) => all.findIndex((other) => other.column === column) === index)
  const columns = distinct.map(({ column }) => column)
  return {
    columns,
    steps: distinct.map(({ column, direction, nulls }) => ({ column, direction, isNullable: nulls !== "" })),
    keys: sql.literal(columns.map((column) => `item.${column}`).join(", ")),
    keyOrder: sql.literal(all.map(({ column, direction, nulls }) => `item.${column} ${direction}${nulls}`).join(", ")),
    direction,
    indexes: indexesFor(listing, sort)
  }
}
