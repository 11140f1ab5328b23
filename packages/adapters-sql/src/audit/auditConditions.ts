import { type AuditFilters } from "@lastro/domain/audit"
import { type SubtreeScope } from "@lastro/domain/hierarchy"
import { type SqlClient } from "effect/sql"
import { type Fragment } from "effect/sql/Statement"

/** Returns the SQL conditions of the filters on the table alias `item`. */
export const conditionsOf = (
  sql: SqlClient.SqlClient,
  { action, actor, from, partner_id, subject_id, to }: AuditFilters
): ReadonlyArray<Fragment> => [
  ...(subject_id === undefined ? [] : [sql`item.subject_id = ${subject_id}`]),
  ...(actor === undefined ? [] : [sql`item.actor = ${actor}`]),
  ...(action === undefined ? [] : [sql`item.action = ${action}`]),
  ...(partner_id === undefined ? [] : [sql`item.partner_id = ${partner_id}::uuid`]),
  ...(from === undefined ? [] : [sql`item.at >= ${from}::timestamptz`]),
  ...(to === undefined ? [] : [sql`item.at < ${to}::timestamptz`])
]

/** Selects the ids of the partners in a scope, including deleted partners. */
export const ownersIn = (sql: SqlClient.SqlClient, { partner_id: top }: SubtreeScope): Fragment =>
  sql`
    select inner_partner.id from subtree_region part join partner inner_partner using (region_id)
    where part.top_id = ${top}::uuid
    union all select partner_id from subtree_partner where top_id = ${top}::uuid`
