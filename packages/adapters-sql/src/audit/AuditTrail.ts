import { type AuditEntry, type AuditFilters, type AuditQuery, AuditTrail } from "@lastro/domain/audit"
import { type SubtreeScope } from "@lastro/domain/hierarchy"
import { type ListSlice, offsetOf, type WholeQuery } from "@lastro/domain/input"
import { CostlyAbove, ReadBudgetExceeded } from "@lastro/domain/ports"
import { Effect, Layer, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { type SqlError } from "effect/sql/SqlError"
import { type Fragment } from "effect/sql/Statement"
import { orDie } from "../database/DatabaseFailure.ts"
import { precompileStatement, runUnprepared } from "../database/postgres/statements.ts"
import { exportRows } from "../paging/exportRows.ts"
import { ListStatements } from "../paging/ListStatements.ts"
import { conditionsOf, ownersIn } from "./auditConditions.ts"
import { auditColumns, auditEntryOf, type AuditPageRow, type AuditRow, isEntry } from "./auditRow.ts"
import { auditShape, auditStatement, type AuditValues, auditValues } from "./auditStatement.ts"
import { readAuditWalk } from "./auditWalk.ts"
import { countedTimes } from "./countedTimes.ts"

/**
 * Maximum number of entries that a deep page may read in the order of the list. For a deeper page, `selectCostlyAudit`
 * counts all matches instead.
 */
const maxWalked = 1_000_000

const valuesOf = (top: string, skip: number, filters: AuditFilters): AuditValues => {
  const { counted, others } = countedTimes(filters)
  return {
    top,
    skip: BigInt(skip),
    subject_id: filters.subject_id,
    actor: filters.actor,
    action: filters.action,
    partner_id: filters.partner_id,
    from: filters.from,
    to: filters.to,
    grains: counted.map(({ grain }) => grain),
    sinces: counted.map(({ since }) => since),
    untils: counted.map(({ until }) => until),
    otherSinces: others.map(({ since }) => since),
    otherUntils: others.map(({ until }) => until)
  }
}

/** Converts rows to the page. Returns undefined if the query stopped at its budget. */
const sliceOf = (rows: ReadonlyArray<AuditPageRow>): ListSlice<AuditEntry> | undefined => {
  const [first] = rows
  // No row: the partner of the scope does not exist.
  if (first === undefined) return { items: [], total: 0 }
  if (first.total === null) return undefined
  return { items: rows.filter(isEntry).map(auditEntryOf), total: Number(first.total) }
}

const selectWholeAudit = (
  sql: SqlClient.SqlClient,
  scope: SubtreeScope,
  { filters, sort }: WholeQuery<AuditQuery>
): Fragment => {
  const direction = sql.literal(sort[0].direction)
  return sql`
    select ${sql.literal(auditColumns)} from audit item
    where ${sql.and([sql`item.partner_id in (${ownersIn(sql, scope)})`, ...conditionsOf(sql, filters)])}
    order by item.at ${direction}, item.id ${direction}`
}

/**
 * Selects a page of audit entries and counts all matches, without a budget. PostgreSQL plans each call for its own
 * values, because planning is fast compared with the query. The indexes on partner, actor and action cover the count,
 * so it does not read the table.
 */
const selectCostlyAudit = (sql: SqlClient.SqlClient, scope: SubtreeScope, { filters, page, sort }: AuditQuery) => {
  const { partner_id: top } = scope
  const filtered = conditionsOf(sql, filters)
  const owner = ownersIn(sql, scope)
  const isWhole = sql`(select whole from scope)`
  // In a whole tree, the index on the filtered column finds the entries. The `or false` prevents a read by partner:
  // PostgreSQL then checks the partner of each entry in a hash table.
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

/**
 * Reads the audit log. The totals of whole trees come from stored counts. Within the budget, each combination of
 * filters has one prepared statement. Beyond it, PostgreSQL plans each query for its own values.
 */
export const layer: Layer.Layer<AuditTrail, never, SqlClient.SqlClient> = Layer.effect(
  AuditTrail,
  Effect.map(SqlClient.SqlClient, (sql) => {
    type Page = Effect.Effect<ReadonlyArray<AuditPageRow>, SqlError>
    const statements = new ListStatements<(values: AuditValues) => Page>()

    const boundedStatement = (
      { partner_id: top }: SubtreeScope,
      { filters, page, sort }: AuditQuery,
      budget: number
    ): Page => {
      const shape = auditShape(filters, { direction: sort[0].direction, size: page.size, budget })
      const values = valuesOf(top, offsetOf(page), filters)
      const statement = statements.find(
        JSON.stringify(shape),
        () =>
          precompileStatement<AuditPageRow, keyof AuditValues>(
            sql,
            auditValues,
            (placeholders) => sql<AuditPageRow>`${auditStatement(sql, shape, placeholders)}`
          )
      )
      return statement?.(values) ?? runUnprepared(sql, sql<AuditPageRow>`${auditStatement(sql, shape, values)}`)
    }

    const readWalk = readAuditWalk(sql)

    return AuditTrail.of({
      exportAll: (scope, query) =>
        Stream.map(exportRows<AuditRow>(sql, Effect.succeed(selectWholeAudit(sql, scope, query))), auditEntryOf),
      list: Effect.fnUntraced(function*(scope, query, budget = Number.POSITIVE_INFINITY) {
        if (query.after !== undefined) return yield* readWalk(scope, { ...query, after: query.after }, budget)
        const bounded = boundedStatement(scope, query, Math.min(budget, yield* CostlyAbove))
        const slice = sliceOf(yield* orDie(bounded))
        if (slice !== undefined) return slice
        if (budget !== Number.POSITIVE_INFINITY) return yield* new ReadBudgetExceeded()
        const { page } = query
        const walked = offsetOf(page) + page.size
        if (walked > (yield* CostlyAbove) && walked <= maxWalked) {
          const deep = sliceOf(yield* orDie(boundedStatement(scope, query, walked)))
          if (deep !== undefined) return deep
        }
        const rows = yield* orDie(selectCostlyAudit(sql, scope, query))
        return sliceOf(rows) ?? (yield* Effect.die("A list without a total"))
      })
    })
  })
)
