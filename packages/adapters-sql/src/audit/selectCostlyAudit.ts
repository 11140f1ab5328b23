import { type AuditQuery } from "@lastro/domain/audit"
import { type SubtreeScope } from "@lastro/domain/hierarchy"
import { offsetOf } from "@lastro/domain/input"
import { type SqlClient } from "effect/sql"
import { auditColumns, type AuditPageRow } from "./auditRow.ts"

/**
 * Selects a page of audit entries and counts all matches, whatever the cost. Each call is planned for its own values, because
 * planning takes only a small part of the time. The indexes of partners, actors and actions contain all columns that a count
 * needs, so a count that uses one of them does not read the table.
 */
export const selectCostlyAudit = (
  sql: SqlClient.SqlClient,
  { partner_id: top }: SubtreeScope,
  { filters: { action, actor, from, subject_id, to }, page, sort }: AuditQuery
) => {
  const filtered = [
    ...(subject_id === undefined ? [] : [sql`item.subject_id = ${subject_id}`]),
    ...(actor === undefined ? [] : [sql`item.actor = ${actor}`]),
    ...(action === undefined ? [] : [sql`item.action = ${action}`]),
    ...(from === undefined ? [] : [sql`item.at >= ${from}::timestamptz`]),
    ...(to === undefined ? [] : [sql`item.at < ${to}::timestamptz`])
  ]
  const owner = sql`
    select inner_partner.id from subtree_region part join partner inner_partner using (region_id)
    where part.top_id = ${top}::uuid
    union all select partner_id from subtree_partner where top_id = ${top}::uuid`
  const isWhole = sql`(select whole from scope)`
  // The partners of a whole tree are so many that entries are found by the filters. With `or`, each entry is checked by
  // a hash lookup.
  const inTree = sql.and([isWhole, sql`(item.partner_id in (${owner}) or false)`, ...filtered])
  const inPart = sql.and([sql`not ${isWhole}`, sql`item.partner_id in (${owner})`, ...filtered])
  const number = (value: number) => sql.literal(String(Math.trunc(value)))
  const direction = sql.literal(sort[0].direction)
  const order = sql`item.at ${direction}, item.id ${direction}`
  const part = sql`order by ${order} limit ${number(page.size)} offset ${number(offsetOf(page))}`
  return sql<AuditPageRow>`
    with scope as materialized (select parent_id is null as whole from partner where id = ${top}::uuid),
    total as materialized (
      select (select count(*) from audit item where ${inTree}) + (select count(*) from audit item where ${inPart}) as value
    ),
    page as materialized (
      (select item.id, item.at from audit item where ${inTree} ${part}) union all
      (select item.id, item.at from audit item where ${inPart} ${part})
    )
    select total.value as total, ${sql.literal(auditColumns)}
    from total left join (page join audit item on item.id = page.id) on true
    order by ${order}`.unprepared
}
