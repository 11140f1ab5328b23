import { type ListPosition } from "@lastro/domain/input"
import { type SqlClient } from "effect/sql"
import { type Fragment } from "effect/sql/Statement"

/** A column of `item` in the order of a list. */
export interface OrderStep {
  readonly column: string
  readonly direction: "asc" | "desc"
  /** True if the column can be absent. Absent values come last in both directions. */
  readonly isNullable: boolean
}

/** The types of the columns in a position. All other columns are texts. */
const types: Readonly<Record<string, string>> = {
  amount: "bigint",
  at: "timestamptz",
  created_at: "timestamptz",
  event_id: "uuid",
  id: "uuid",
  must_change_password: "boolean",
  net_amount: "bigint",
  occurred_at: "timestamptz",
  paid_at: "timestamptz",
  partner_id: "uuid",
  updated_at: "timestamptz"
}

/** Selects the position of `item` as an array of texts. */
export const selectPosition = (sql: SqlClient.SqlClient, steps: ReadonlyArray<OrderStep>): Fragment =>
  sql.literal(`array[${steps.map(({ column }) => `item.${column}::text`).join(", ")}] as position`)

/**
 * Returns conditions on `item`. A record comes after the position if it meets one of them. The last step is the unique
 * id.
 *
 * With one sort field, an index in the order of the list reads each condition as one range. So the cost of a page does
 * not depend on the position. No index has the order of several fields, so they have a single condition.
 */
export const followingRanges = (
  sql: SqlClient.SqlClient,
  steps: ReadonlyArray<OrderStep>,
  position: ListPosition
): ReadonlyArray<Fragment> => {
  const parts = steps.map(({ column, direction, isNullable }, index) => {
    const name = sql.literal(`item.${column}`)
    const stored = position[index] ?? null
    const value = sql`${String(stored)}::text::${sql.literal(types[column] ?? "text")}`
    const operator = sql.literal(direction === "asc" ? ">" : "<")
    const nulls = isNullable ? [sql`${name} is null`] : []
    return {
      name,
      value,
      operator,
      nulls,
      isNull: stored === null,
      equals: stored === null ? sql`${name} is null` : sql`${name} = ${value}`,
      /** The conditions under which the value of this step comes after that of the position. */
      after: stored === null ? [] : [sql`${name} ${operator} ${value}`, ...nulls]
    }
  })
  const [first, last] = parts
  if (first === undefined) return []
  // One sort field, and the id in the same direction: a comparison of rows is one range of an index.
  if (parts.length === 2 && last !== undefined && !first.isNull && steps[0]?.direction === steps[1]?.direction) {
    return [sql`(${first.name}, ${last.name}) ${first.operator} (${first.value}, ${last.value})`, ...first.nulls]
  }
  const branches = parts.flatMap(({ after }, index) =>
    after.map((condition) => sql.and([...parts.slice(0, index).map(({ equals }) => equals), condition]))
  )
  return branches.length === 0 ? [sql`false`] : [sql.or(branches)]
}
