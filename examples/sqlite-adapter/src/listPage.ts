import { type SubtreeScope } from "@lastro/domain/hierarchy"
import { type ListQuery, type ListSlice, offsetOf, type WholeQuery } from "@lastro/domain/input"
import { ReadBudgetExceeded } from "@lastro/domain/ports"
import { Effect, Stream } from "effect"
import { type DatabaseSync, type SQLInputValue } from "node:sqlite"
import { subtree } from "./scope.ts"

/** The table and columns of a list. */
export interface Listing<Field extends string, Item> {
  readonly table: string
  /** The column that contains the id of the row's partner. */
  readonly owner: string
  /** The selected columns, and the decoder of a row. */
  readonly columns: string
  readonly read: (row: unknown) => Item
  /** The sort column of each field. */
  readonly sorts: Readonly<Record<Field, string>>
}

/** A SQL condition with one parameter. The condition is skipped if the value is undefined. */
export type Condition = readonly [sql: string, value: SQLInputValue | undefined]

/** The condition that the metadata of a row has every key of a JSON object, with the same text. */
export const includesMetadata = (table: string): string =>
  `not exists (
    select 1 from json_each(?) wanted where not exists (
      select 1 from json_each(${table}.metadata) own where own.key = wanted.key and own.value = wanted.value
    )
  )`

/**
 * Lists one page of the rows in scope that meet every condition, and counts all such rows. Fails with ReadBudgetExceeded if
 * it would examine more than `budget` rows. With a condition, it examines every row in scope. Without one, it examines only the
 * rows up to the end of the page.
 */
export const listPage = <Field extends string, Item>(
  database: DatabaseSync,
  { columns, owner, read, sorts, table }: Listing<Field, Item>,
  scope: SubtreeScope,
  { page, sort }: ListQuery<unknown, Field>,
  conditions: ReadonlyArray<Condition>,
  budget = Number.POSITIVE_INFINITY
): Effect.Effect<ListSlice<Item>, ReadBudgetExceeded> => {
  const texts: Array<string> = []
  const values: Array<SQLInputValue> = [scope.partner_id]
  for (const [text, value] of conditions) {
    if (value === undefined) continue
    texts.push(` and ${text}`)
    values.push(value)
  }
  const inScope = `from ${table} where ${owner} in (select id from inside) and deleted_at is null`
  const reachesBudget = texts.length > 0 || offsetOf(page) + page.size > budget
  if (reachesBudget && Number.isFinite(budget)) {
    const some = database.prepare(`${subtree} select count(*) as examined from (select 1 ${inScope} limit ?)`)
    if (Number(some.get(scope.partner_id, budget + 1)?.["examined"]) > budget) {
      return Effect.fail(new ReadBudgetExceeded())
    }
  }
  const from = `${inScope}${texts.join("")}`
  const order = sort.map(({ direction, property }) => `${sorts[property]} ${direction}`)
  // Break ties by id, in the direction of the last sort, so that pages do not overlap.
  order.push(`id ${sort.at(-1)?.direction}`)
  const rows = database.prepare(`${subtree} select ${columns} ${from} order by ${order.join(", ")} limit ? offset ?`)
  const count = database.prepare(`${subtree} select count(*) as total ${from}`)
  return Effect.succeed({
    items: rows.all(...values, page.size, offsetOf(page)).map(read),
    total: Number(count.get(...values)?.["total"])
  })
}

/** Streams a whole list as one batch, from one statement and so from one snapshot. */
export const streamAll = <Filters, Field extends string, Item>(
  list: (scope: SubtreeScope, query: ListQuery<Filters, Field>) => Effect.Effect<ListSlice<Item>, ReadBudgetExceeded>
) =>
(scope: SubtreeScope, { filters, sort }: WholeQuery<ListQuery<Filters, Field>>): Stream.Stream<Item> => {
  const page = { number: 0, size: Number.MAX_SAFE_INTEGER }
  return Stream.fromIterableEffect(
    Effect.map(Effect.orDie(list(scope, { filters, sort, page })), ({ items }) => items)
  )
}
