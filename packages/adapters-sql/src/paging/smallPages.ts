import { type ListQuery, type ListSlice, offsetOf } from "@lastro/domain/input"
import { ReadBudgetExceeded } from "@lastro/domain/ports"
import { Effect } from "effect"
import { type SqlClient } from "effect/sql"
import { type Fragment } from "effect/sql/Statement"
import { orDie } from "../database/DatabaseFailure.ts"
import { type WalkRow, walkSlice } from "./walkPages.ts"
import { followingRanges, selectPosition } from "./walkRange.ts"

/** The stored number of the records of a list. */
export interface StoredCount {
  /** The count, as an SQL expression. */
  readonly value: Fragment
  /**
   * True if the count is the total and an index has the order of the list. False with further filters, or in another
   * order.
   */
  readonly isTotal: boolean
}

/**
 * A list that is small, or has a stored count (`counted`). A small list needs neither stored counts nor indexes in the
 * order of its pages.
 */
interface SmallList<Row, Item, Field extends string> {
  /** The columns to select from the tables of `from`. They include each column of `sorts`, by name or alias. */
  readonly columns: string
  /** The `from` clause with the conditions of the filters. The table alias is `item`. */
  readonly from: Fragment
  /** The selected column to sort by for each field. */
  readonly sorts: Readonly<Record<Field, string>>
  /** The selected column with the unique id, which breaks ties. */
  readonly id: string
  readonly toItem: (row: Row) => Item
  /** Stored counts, for a list that is not small. */
  readonly counted?: StoredCount | undefined
}

/** Returns the order of a small list. The id breaks ties, in the direction of the last field. */
export const smallOrder = <Field extends string>(
  sql: SqlClient.SqlClient,
  { id, sorts }: Pick<SmallList<never, never, Field>, "id" | "sorts">,
  sort: ListQuery<unknown, Field>["sort"]
): Fragment => {
  const steps = sort.map(({ direction, property }) => `${sorts[property]} ${direction}`)
  return sql.literal([...steps, `${id} ${sort.at(-1)?.direction ?? "asc"}`].join(", "))
}

/**
 * Reads a page of a small list, and counts at most one more match than the budget. If the stored count is the total,
 * reads only the records up to the end of the page. If it is not the total and exceeds the budget, reads nothing. A
 * page after a cursor has no count and no budget.
 */
export const readSmallPage = <Row extends object, Item, Field extends string>(
  sql: SqlClient.SqlClient,
  { columns, counted, from, id, sorts, toItem }: SmallList<Row, Item, Field>,
  { after, page, sort }: Pick<ListQuery<unknown, Field>, "after" | "page" | "sort">,
  budget: number
): Effect.Effect<ListSlice<Item>, ReadBudgetExceeded> =>
  Effect.gen(function*() {
    const order = smallOrder(sql, { id, sorts }, sort)
    if (after !== undefined) {
      const steps = [
        ...sort.map(({ direction, property }) => ({ column: sorts[property], direction, isNullable: false })),
        { column: id, direction: sort.at(-1)?.direction ?? "asc", isNullable: false }
      ]
      const following = after === null ? sql`true` : sql.or(followingRanges(sql, steps, after))
      const rows = yield* orDie(
        sql<WalkRow<Row>>`
          select *, ${selectPosition(sql, steps)} from (select ${sql.literal(columns)} ${from}) item
          where ${following} order by ${order} limit ${page.size + 1}`.unprepared
      )
      return walkSlice(rows, page.size, toItem)
    }
    const countLimit = Math.min(budget, Number.MAX_SAFE_INTEGER - 1) + 1
    const isStored = counted?.isTotal === true && offsetOf(page) + page.size <= budget
    const count = sql`(select count(*) from (select from matching limit ${countLimit}::bigint) few)`
    const countIfFew = counted === undefined
      ? count
      : sql`case when ${counted.value} >= ${countLimit}::bigint then ${countLimit}::bigint else ${count} end`
    const selectTotal = isStored ? counted.value : countIfFew
    const isRead = isStored ? sql`true` : sql`(select value from total) < ${countLimit}::bigint`
    const rows = yield* orDie(
      sql<Row & { readonly total: bigint; readonly present: boolean | null }>`
        with matching as not materialized (select ${sql.literal(columns)} ${from}),
        total as materialized (select ${selectTotal} as value)
        select total.value as total, part.*
        from total
        left join (
          select *, true as present from matching item where ${isRead}
          order by ${order} limit ${page.size} offset ${offsetOf(page)}
        ) part on true
        order by ${order}`.unprepared
    )
    const total = Number(rows[0]?.total ?? 0)
    if (!isStored && total > budget) return yield* new ReadBudgetExceeded()
    return { items: rows.filter(({ present }) => present === true).map(toItem), total }
  })
