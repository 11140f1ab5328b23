import { type SubtreeScope } from "@lastro/domain/hierarchy"
import { type ListPosition, type ListQuery, type ListSlice, offsetOf, type WholeQuery } from "@lastro/domain/input"
import { ReadBudgetExceeded } from "@lastro/domain/ports"
import { Effect, Stream } from "effect"
import { type DatabaseSync, type SQLInputValue } from "node:sqlite"
import { subtree } from "./scope.ts"

/** The table and columns of a list. */
export interface Listing<Field extends string, Item> {
  readonly table: string
  /** The column with the id of the row's partner. */
  readonly owner: string
  /** The selected columns, and the decoder of a row. */
  readonly columns: string
  readonly read: (row: unknown) => Item
  /** The sort column of each field. */
  readonly sorts: Readonly<Record<Field, string>>
}

/** A SQL condition with one parameter. An undefined value means that the condition does not apply. */
export type Condition = readonly [sql: string, value: SQLInputValue | undefined]

/** Returns the condition that the metadata of a row has every key of a JSON object, with the same text. */
export const includesMetadata = (table: string): string =>
  `not exists (
    select 1 from json_each(?) wanted where not exists (
      select 1 from json_each(${table}.metadata) own where own.key = wanted.key and own.value = wanted.value
    )
  )`

/** A column of an order. */
type Step = readonly [column: string, direction: "asc" | "desc"]

/** Returns the condition that a row comes after a position in an order, and its parameters. No column is null. */
const follows = (steps: ReadonlyArray<Step>, position: ListPosition) => ({
  text: steps.map(([column, direction], index) =>
    [...steps.slice(0, index).map(([equal]) => `${equal} = ?`), `${column} ${direction === "asc" ? ">" : "<"} ?`]
      .join(" and ")
  ).join(" or "),
  values: steps.flatMap((_, index) => position.slice(0, index + 1)).map((value) =>
    typeof value === "boolean" ? Number(value) : value
  )
})

/**
 * Lists one page of the rows in scope that meet every condition. Fails with ReadBudgetExceeded if it would examine more
 * than `budget` rows. With a condition, it examines every row in scope. Without one, it examines only the rows up to
 * the end of the page. `total` counts the rows of all pages. On a page after a cursor, it counts only the rows of this
 * page, and `next` is the position of the last row.
 */
export const listPage = <Field extends string, Item>(
  database: DatabaseSync,
  { columns, owner, read, sorts, table }: Listing<Field, Item>,
  scope: SubtreeScope,
  { after, page, sort }: ListQuery<unknown, Field>,
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
  const canExceedBudget = texts.length > 0 || offsetOf(page) + page.size > budget
  if (canExceedBudget && Number.isFinite(budget)) {
    const countRows = database.prepare(`${subtree} select count(*) as examined from (select 1 ${inScope} limit ?)`)
    if (Number(countRows.get(scope.partner_id, budget + 1)?.["examined"]) > budget) {
      return Effect.fail(new ReadBudgetExceeded())
    }
  }
  const from = `${inScope}${texts.join("")}`
  const steps = sort.map(({ direction, property }): Step => [sorts[property], direction])
  // Break ties by id, in the direction of the last sort, so that pages do not overlap.
  steps.push(["id", sort.at(-1)?.direction ?? "asc"])
  const order = steps.map(([column, direction]) => `${column} ${direction}`).join(", ")
  if (after !== undefined) {
    const { text, values: bounds } = after === null ? { text: "true", values: [] } : follows(steps, after)
    const position = `json_array(${steps.map(([column]) => column).join(", ")}) as position`
    const rows = database
      .prepare(`${subtree} select ${columns}, ${position} ${from} and (${text}) order by ${order} limit ?`)
      .all(...values, ...bounds, page.size + 1)
    const last = rows[page.size - 1]
    const items = rows.slice(0, page.size).map(read)
    const next: ListPosition | null = rows.length > page.size ? JSON.parse(String(last?.["position"])) : null
    return Effect.succeed({ items, total: items.length, next })
  }
  const rows = database.prepare(`${subtree} select ${columns} ${from} order by ${order} limit ? offset ?`)
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
