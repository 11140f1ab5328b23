import { type AuditQuery } from "@lastro/domain/audit"
import { type SubtreeScope } from "@lastro/domain/hierarchy"
import { type ListPosition } from "@lastro/domain/input"
import { ReadBudgetExceeded } from "@lastro/domain/ports"
import { Effect } from "effect"
import { type SqlClient } from "effect/sql"
import { orDie } from "../database/DatabaseFailure.ts"
import { locationOf, subtree } from "../hierarchy/subtree.ts"
import { type WalkRow, walkSlice } from "../paging/walkPages.ts"
import { followingRanges, selectPosition } from "../paging/walkRange.ts"
import { conditionsOf, ownersIn } from "./auditConditions.ts"
import { auditColumns, auditEntryOf, type AuditRow } from "./auditRow.ts"
import { fewPartners } from "./auditStatement.ts"

/**
 * Returns a function that reads one page after a cursor. It counts nothing, so every page costs the same. PostgreSQL
 * plans each page for its own values.
 * - A scope of few partners, or a filter by partner: reads the next entries of each partner, and merges them. If the
 * entries are also filtered by text, this requires an unlimited budget.
 * - Any other scope: reads the index in the order of the list. It skips entries outside the scope, and examines at most
 * as many entries as the budget.
 * - A filter by subject: reads all entries of the subject within the budget, because their index has another order.
 */
export const readAuditWalk = (sql: SqlClient.SqlClient) => {
  const readScope = ({ partner_id }: SubtreeScope) =>
    orDie(sql<{ readonly whole: boolean; readonly partners: bigint }>`
      select top.parent_id is null as whole, of_top.partners
      from partner top join subtree_count of_top on of_top.partner_id = top.id where top.id = ${partner_id}`)

  return Effect.fnUntraced(function*(
    scope: SubtreeScope,
    { after, filters, page: { size }, sort }: AuditQuery & { readonly after: ListPosition | null },
    budget: number
  ) {
    const [top] = yield* readScope(scope)
    if (top === undefined) return { items: [], total: 0, next: null }
    const { direction } = sort[0]
    const steps = ["at", "id"].map((column) => ({ column, direction, isNullable: false }))
    const order = sql.literal(`item.at ${direction}, item.id ${direction}`)
    const limit = sql.literal(String(size + 1))
    const range = after === null ? sql`true` : sql.and(followingRanges(sql, steps, after))
    const { action, actor, partner_id, subject_id } = filters
    const conditions = conditionsOf(sql, filters)
    const isByText = action !== undefined || actor !== undefined || subject_id !== undefined
    const isMerged = subject_id === undefined && (partner_id !== undefined || top.partners <= fewPartners)
    // Each partner can have many entries that do not match the text, so this read has no bound.
    if (isMerged && isByText && budget !== Number.POSITIVE_INFINITY) return yield* new ReadBudgetExceeded()
    const topId = sql`${scope.partner_id}::uuid`
    const inScope = top.whole
      ? sql`(select root_id from partner where partner.id = item.partner_id) = ${topId}`
      : subtree(sql, topId).containsHashed(locationOf(sql, sql.literal("item.partner_id")))
    const merged = sql`
      select item.id, item.at from (${ownersIn(sql, scope)}) owner (id) cross join lateral (
        select item.id, item.at from audit item
        where ${sql.and([sql`item.partner_id = owner.id`, ...conditions, range])}
        order by ${order} limit ${limit}
      ) item ${partner_id === undefined ? sql.literal("") : sql`where owner.id = ${partner_id}::uuid`}`
    // PostgreSQL stops reading once the page is complete.
    const examined = (columns: string) =>
      sql`
      select ${sql.literal(columns)} from audit item where ${sql.and([...conditions, range])}
      ${subject_id === undefined && columns !== "" ? sql`order by ${order}` : sql.literal("")}
      ${budget === Number.POSITIVE_INFINITY ? sql.literal("") : sql`limit ${String(budget + 1)}::bigint`}`
    const walked = sql`
      select item.id, item.at from (${examined("item.id, item.at, item.partner_id")}) item where ${inScope}`
    const rows = yield* orDie(
      sql<WalkRow<AuditRow>>`
      select ${sql.literal(auditColumns)}, ${selectPosition(sql, steps)}
      from (select item.id from (${isMerged ? merged : walked}) item order by ${order} limit ${limit}) page
        join audit item on item.id = page.id
      order by ${order}`.unprepared
    )
    if (!isMerged && budget !== Number.POSITIVE_INFINITY && rows.length <= size) {
      const [row] = yield* orDie(
        sql<{ readonly count: bigint }>`select count(*) as count from (${examined("")}) item`.unprepared
      )
      if (Number(row?.count ?? 0) > budget) return yield* new ReadBudgetExceeded()
    }
    return walkSlice(rows, size, auditEntryOf)
  })
}
