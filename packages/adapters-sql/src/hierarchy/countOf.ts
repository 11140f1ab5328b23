import { type SqlClient } from "effect/sql"
import { type Fragment } from "effect/sql/Statement"
import { locationOf, subtree } from "./subtree.ts"

/**
 * Returns the exact number of records of the subtree of the partner `top`, as an expression. `of_top` is the row of `top` in
 * `subtree_count`. Changes that are not yet part of that row are added.
 */
export const countOf = (
  sql: SqlClient.SqlClient,
  { count }: { readonly count: "partners" | "users" | "proposals" }
): Fragment => {
  const pending = locationOf(sql, sql.literal("delta.partner_id"))
  return sql`of_top.${sql.literal(count)} + coalesce((
          select sum(delta.${sql.literal(count)}) from subtree_count_delta delta
          where ${subtree(sql, sql.literal("top.id")).contains(pending)}
        ), 0)`
}
