import { type PartnerId, type Scope } from "@lastro/domain"
import { type SqlClient } from "effect/sql"
import { type Fragment } from "effect/sql/Statement"

/**
 * The subtree below `top`, an expression for a partner's id, as SQL. Every query that is bound by a hierarchy gets its
 * bound from here. Each form names the partner and nothing else, however many partners are below.
 */
export const subtree = (sql: SqlClient.SqlClient, top: Fragment) => {
  const members = sql`(select descendant_id from partner_closure where ancestor_id = ${top})`
  return {
    /** Whether the partner that `owner` (a column or value) names lies in the subtree. */
    holds: (owner: Fragment): Fragment =>
      sql`exists (
        select from partner_closure inside where inside.ancestor_id = ${top} and inside.descendant_id = ${owner}
      )`,
    /** The same, looked up for one row after the other: for queries that stop early. */
    holdsEach: (owner: Fragment): Fragment =>
      sql`(
        select true from partner_closure inside where inside.ancestor_id = ${top} and inside.descendant_id = ${owner}
      )`,
    /** The same, looked up in a hash table of the whole subtree, made at the first row; `top` must be the same for all. */
    holdsHashed: (owner: Fragment): Fragment => sql`${owner} in ${members}`,
    /** The partners of the subtree, as `partner_closure inside`, to be joined by `inside.descendant_id`. */
    members: sql`${members} inside`
  }
}

/** The subtree that a scope bounds, as SQL; its partner's id is a parameter. */
export const scoped = (sql: SqlClient.SqlClient, scope: Scope | PartnerId) =>
  subtree(sql, sql`${typeof scope === "string" ? scope : scope.partner_id}`)
