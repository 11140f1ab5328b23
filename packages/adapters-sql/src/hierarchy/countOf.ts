import { type SqlClient } from "effect/sql"
import { type Fragment } from "effect/sql/Statement"
import { type CountColumn } from "./countColumns.ts"
import { locationOf, subtree } from "./subtree.ts"

/** Returns the SQL expression of a count. `alias` is the alias of `subtree_count` or `subtree_count_delta`. */
export type CountIn = (alias: string) => Fragment

/** Returns a function that builds the SQL expression of a count column. */
export const countInColumn = (sql: SqlClient.SqlClient, column: CountColumn): CountIn => (alias) =>
  sql.literal(`${alias}.${column}`)

/** The change of a count because of offers that expired after the counts were stored. */
export interface Expiring {
  /** SQL expression: the time of the query plus 1 ms. */
  readonly before: Fragment
  /** `-` for the count of applications with live offers; `+` for that of applications with expired offers. */
  readonly sign: "+" | "-"
}

/**
 * Returns an SQL expression for the exact number of records in the subtree of the partner `top`. `of_top` is the row of
 * `top` in `subtree_count`. The expression adds pending changes and expired offers to the stored count, up to the time
 * of the query.
 */
export const countOf = (
  sql: SqlClient.SqlClient,
  count: CountIn,
  expiring?: Expiring
): Fragment => {
  const inScope = (change: string) =>
    subtree(sql, sql.literal("top.id")).contains(locationOf(sql, sql.literal(`${change}.partner_id`)))
  const counted = sql`${count("of_top")} + coalesce((
          select sum(${count("delta")}) from subtree_count_delta delta
          where ${inScope("delta")}
        ), 0)`
  return expiring === undefined ? counted : sql`${counted} ${sql.literal(expiring.sign)} coalesce((
          select sum(due.applications) from application_expiry due
          where due.due_at < ${expiring.before} and ${inScope("due")}
        ), 0)`
}
