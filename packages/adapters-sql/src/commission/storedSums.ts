import { type SubtreeScope } from "@lastro/domain/hierarchy"
import { type SqlClient } from "effect/sql"
import { type Fragment } from "effect/sql/Statement"

/** Returns the condition that selects the entries (`item`) that a partner sees. No index supports this condition. */
export const visibleTo = (sql: SqlClient.SqlClient, { partner_id }: SubtreeScope): Fragment =>
  sql`item.viewers @> array[${partner_id}::uuid]`

/** The columns of `commission_sum` that contain sums. `unpaid` is the sum of the entries that are not PAID. */
const sumColumns = ["entries", "contracts", "accrued", "clawed_back", "adjusted", "paid", "unpaid"] as const

type SumColumn = typeof sumColumns[number]

/**
 * SQL expressions for the change of each column by a new entry (`append`), and by the payment of an entry (`pay`). They
 * use the columns `kind`, `status` and `amount` of the entry.
 */
export const sumChanges = {
  append: {
    entries: "1",
    contracts: "case kind when 'ACCRUAL' then 1 when 'CLAWBACK' then -1 else 0 end",
    accrued: "case kind when 'ACCRUAL' then amount else 0 end",
    clawed_back: "case kind when 'CLAWBACK' then amount else 0 end",
    adjusted: "case kind when 'ADJUSTMENT' then amount else 0 end",
    paid: "case status when 'PAID' then amount else 0 end",
    unpaid: "case status when 'PAID' then 0 else amount end"
  },
  pay: {
    entries: "0",
    contracts: "0",
    accrued: "0",
    clawed_back: "0",
    adjusted: "0",
    paid: "amount",
    unpaid: "-amount"
  }
} satisfies Readonly<Record<string, Readonly<Record<SumColumn, string>>>>

/** Joins one SQL expression per sum column with commas. */
export const eachSum = (expression: (column: SumColumn) => string): string => sumColumns.map(expression).join(", ")

/**
 * Selects the sums of entries per viewer: by period and partner, and by period alone. `entries` is the name of a table
 * of entries.
 */
export const selectSums = (entries: string, changes: Readonly<Record<SumColumn, string>>): string => `
  select viewer_id, period, partner_id, ${eachSum((column) => `sum(${column}) as ${column}`)}
  from (
    select unnest(viewers) as viewer_id, period, partner_id, ${eachSum((column) => `${changes[column]} as ${column}`)}
    from ${entries}
  ) change
  group by grouping sets ((viewer_id, period, partner_id), (viewer_id, period))`

/**
 * Returns the statement that adds the changes of entries to the stored sums. It locks the rows in a fixed order, so two
 * such statements cannot deadlock.
 */
export const addSums = (sql: SqlClient.SqlClient, entries: string, step: keyof typeof sumChanges): Fragment =>
  sql.literal(`
    insert into commission_sum as stored (viewer_id, period, partner_id, ${eachSum((column) => column)})
    select * from (${selectSums(entries, sumChanges[step])}) changed order by viewer_id, partner_id, period
    on conflict (viewer_id, partner_id, period)
    do update set ${eachSum((column) => `${column} = stored.${column} + excluded.${column}`)}`)
