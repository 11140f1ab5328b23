import { type SubtreeScope } from "@lastro/domain/hierarchy"
import { type ListQuery, offsetOf } from "@lastro/domain/input"
import { type Effect } from "effect"
import { type SqlClient } from "effect/sql"
import { type SqlError } from "effect/sql/SqlError"
import { type Fragment, type Statement } from "effect/sql/Statement"
import { precompileStatement, runUnprepared } from "../database/postgres/statements.ts"
import { type AppliedFilter } from "./appliedFilters.ts"
import { type Listing } from "./Listing.ts"
import { ListStatements } from "./ListStatements.ts"
import { type PageOrder, pageOrder } from "./pageOrder.ts"
import { type PlacedPage, selectPlacedKeys } from "./placedKeys.ts"

/**
 * Returns a function that reads a page of a filter by place from its special indexes and stored counts. `selectRows`
 * joins the rows of the selected keys. The total is null if the read would exceed its budget.
 */
export const placedPagesOf = <Row extends object, Field extends string, Filters extends object>(
  sql: SqlClient.SqlClient,
  listing: Listing<Field, Filters>,
  selectRows: (keys: Fragment, order: PageOrder) => Statement<Row>
) => {
  type Page = Effect.Effect<ReadonlyArray<Row>, SqlError>
  const statements = new ListStatements<(values: Readonly<Record<keyof PlacedPage, unknown>>) => Page>()

  return (
    { partner_id: top }: SubtreeScope,
    { page, sort }: ListQuery<Filters, Field>,
    { second: at, value: places }: AppliedFilter,
    budget: bigint
  ): Page => {
    const [{ direction, property }] = sort
    const order = pageOrder(sql, listing, sort)
    const select = (values: PlacedPage) => selectRows(selectPlacedKeys(sql, listing, page.size, values, order), order)
    const statement = statements.find(
      `${property} ${direction} ${page.size}`,
      () => precompileStatement<Row, keyof PlacedPage>(sql, ["top", "places", "at", "skip", "budget"], select)
    )
    const values = { top, places, at, skip: BigInt(offsetOf(page)), budget }
    return statement?.(values) ?? runUnprepared(sql, select(values))
  }
}
