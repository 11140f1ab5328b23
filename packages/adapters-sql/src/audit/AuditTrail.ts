import { type AuditFilters, AuditTrail } from "@lastro/domain/audit"
import { exceedBudget, offsetOf, ReadBudget } from "@lastro/domain/paging"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Fragment } from "effect/sql/Statement"
import { orDie } from "../database/DatabaseFailure.ts"
import { auditColumns, auditEntryOf, type AuditRow } from "./auditRow.ts"

/** The total, and a row of the page. Every column of the entry is null if the page is empty. */
type PageRow = (AuditRow | Readonly<Record<keyof AuditRow, null>>) & { readonly total: number }

const isEntry = (row: PageRow): row is AuditRow & PageRow => row.id !== null

/**
 * Reads the audit log in PostgreSQL. The entries of a partner, of an actor, of a record and of all partners have an index in the order of the
 * list, and the database chooses one of them.
 */
export const layer: Layer.Layer<AuditTrail, never, SqlClient.SqlClient> = Layer.effect(
  AuditTrail,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const conditionsOf = (top: string, { action, actor, from, subject_id, to }: AuditFilters): Fragment =>
      sql.and([
        sql`item.partner_id in (
          select inner_partner.id from subtree_region part join partner inner_partner using (region_id)
          where part.top_id = ${top}::uuid
          union all select partner_id from subtree_partner where top_id = ${top}::uuid
        )`,
        ...(subject_id === undefined ? [] : [sql`item.subject_id = ${subject_id}`]),
        ...(actor === undefined ? [] : [sql`item.actor = ${actor}`]),
        ...(action === undefined ? [] : [sql`item.action = ${action}`]),
        ...(from === undefined ? [] : [sql`item.at >= ${from}::timestamptz`]),
        ...(to === undefined ? [] : [sql`item.at < ${to}::timestamptz`])
      ])
    const number = (value: number) => sql.literal(String(Math.trunc(value)))

    return AuditTrail.of({
      list: Effect.fnUntraced(function*({ partner_id: top }, { filters, page, sort }) {
        const budget = yield* ReadBudget
        const limit = Number.isFinite(budget) ? sql`limit ${number(budget + 1)}` : sql``
        const isAllowed = Number.isFinite(budget) ? sql`(select value from total) <= ${number(budget)}` : sql`true`
        const conditions = conditionsOf(top, filters)
        const direction = sql.literal(sort[0].direction)
        const order = sql`item.at ${direction}, item.id ${direction}`
        const rows = yield* orDie(sql<PageRow>`
          with total as materialized (
            select count(*)::int as value from (select from audit item where ${conditions} ${limit}) matched
          )
          select total.value as total, ${sql.literal(auditColumns)}
          from total left join (
            select item.* from audit item where ${isAllowed} and ${conditions}
            order by ${order} limit ${number(page.size)} offset ${number(offsetOf(page))}
          ) item on true
          order by ${order}`)
        const total = rows[0]?.total ?? 0
        if (total > budget) return yield* exceedBudget
        return { items: rows.filter(isEntry).map(auditEntryOf), total }
      })
    })
  })
)
