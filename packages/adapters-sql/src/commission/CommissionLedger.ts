import { CommissionLedger, type EntryFilters, type Period } from "@lastro/domain/commission"
import { type SubtreeScope } from "@lastro/domain/hierarchy"
import { type PartnerId, type ProposalId } from "@lastro/domain/values"
import { Effect, Layer, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { type Fragment } from "effect/sql/Statement"
import { orDie } from "../database/DatabaseFailure.ts"
import { subtreeOf, toFoundRecord } from "../hierarchy/subtree.ts"
import { exportRows } from "../paging/exportRows.ts"
import { readSmallPage, smallOrder } from "../paging/smallPages.ts"
import { entryColumns, entryJson, entryOf, type EntryRow } from "./entryRow.ts"

const sorts = { occurred_at: "occurred_at", amount: "amount" }

/**
 * Builds a condition that is true for the entries `item` that a partner sees. The first part finds the entries of a
 * whole tree in the order of a list, the second those of few partners.
 */
export const visibleTo = (sql: SqlClient.SqlClient, { partner_id }: SubtreeScope): Fragment =>
  sql`item.root_id = (select root_id from partner where id = ${partner_id})
    and item.viewers @> array[${partner_id}::uuid]`

const conditionsOf = (sql: SqlClient.SqlClient, scope: SubtreeScope, filters: EntryFilters): Fragment => {
  const { kind, lender, partner, period, proposal_id, status } = filters
  const conditions = [visibleTo(sql, scope)]
  if (kind !== undefined) conditions.push(sql`item.kind = ${kind}`)
  if (lender !== undefined) conditions.push(sql`item.lender = ${lender}`)
  if (period !== undefined) conditions.push(sql`item.period = ${period}`)
  if (proposal_id !== undefined) conditions.push(sql`item.proposal_id = ${proposal_id}`)
  if (status !== undefined) conditions.push(sql`item.status = ${status}`)
  if (partner?.partner_scope === "self") conditions.push(sql`item.partner_id = ${partner.partner_id}`)
  if (partner?.partner_scope === "subtree") {
    conditions.push(sql`item.viewers @> array[${partner.partner_id}::uuid]
      and array_position(item.viewers, ${partner.partner_id}::uuid) <=
        array_position(item.viewers, ${scope.partner_id}::uuid)`)
  }
  return sql.and(conditions)
}

/** Stores the ledger of commissions in PostgreSQL. */
export const layer: Layer.Layer<CommissionLedger, never, SqlClient.SqlClient> = Layer.effect(
  CommissionLedger,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql.literal(entryColumns)
    return CommissionLedger.of({
      append: (entries) =>
        Effect.asVoid(orDie(sql`
          insert into commission_entry (
            id, root_id, partner_id, viewers, proposal_id, kind, amount, basis_amount, lender, table_code,
            seller_partner_id, period, payable_on, status, payout_id, occurred_at, note, reference, paid_amount,
            happened_on
          )
          select id, root_id, partner_id, viewers, proposal_id, kind, amount, basis_amount, lender, table_code,
            seller_partner_id, period, payable_on, status, payout_id, occurred_at, note, reference, paid_amount,
            happened_on
          from jsonb_to_recordset(${JSON.stringify(entries.map(entryJson))}::jsonb) as added (
            id uuid, root_id uuid, partner_id uuid, viewers uuid[], proposal_id uuid, kind text, amount bigint,
            basis_amount bigint, lender text, table_code text, seller_partner_id uuid, period text, payable_on text,
            status text, payout_id uuid, occurred_at timestamptz, note text, reference text, paid_amount bigint,
            happened_on text
          )
          on conflict (proposal_id, partner_id, kind) where kind <> 'ADJUSTMENT' do nothing`)),
      accruals: (proposal_id) =>
        Effect.map(
          orDie(sql<EntryRow>`
            select ${columns} from commission_entry item where proposal_id = ${proposal_id} and kind = 'ACCRUAL'`),
          (rows) => rows.map(entryOf)
        ),
      findContract: (scope, id) =>
        Effect.map(
          orDie(sql<{ readonly id: ProposalId; readonly inside: boolean }>`
            select item.id,
              ${subtreeOf(sql, scope).contains({ id: sql`item.partner_id`, region: sql`item.region_id` })} as inside
            from proposal item where item.id = ${id}`),
          (rows) => toFoundRecord(rows, (row) => row.id)
        ),
      closedPeriods: (partners, from) =>
        Effect.map(
          orDie(sql<{ readonly partner_id: PartnerId; readonly periods: ReadonlyArray<Period> }>`
            select partner_id, array_agg(period) as periods from commission_closing
            where partner_id = any(${[...partners]}::uuid[]) and period >= ${from} group by partner_id`),
          (rows) => new Map(rows.map(({ partner_id, periods }) => [partner_id, new Set(periods)] as const))
        ),
      list: (scope, { filters, ...query }, budget = Number.POSITIVE_INFINITY) =>
        readSmallPage(
          sql,
          {
            columns: entryColumns,
            from: sql`from commission_entry item where ${conditionsOf(sql, scope, filters)}`,
            sorts,
            id: "id",
            toItem: entryOf
          },
          query,
          budget
        ),
      exportAll: (scope, { filters, sort }) =>
        Stream.map(
          exportRows<EntryRow>(
            sql,
            Effect.succeed(sql`
              select ${columns} from commission_entry item where ${conditionsOf(sql, scope, filters)}
              order by ${smallOrder(sql, { id: "id", sorts }, sort)}`)
          ),
          entryOf
        )
    })
  })
)
