import { CommissionLedger, type EntryFilters, type EntryQuery, type Period } from "@lastro/domain/commission"
import { type SubtreeScope } from "@lastro/domain/hierarchy"
import { type PartnerId, type ProposalId } from "@lastro/domain/values"
import { Effect, Layer, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { type Fragment } from "effect/sql/Statement"
import { orDie } from "../database/DatabaseFailure.ts"
import { locationOfItem, subtreeOf, toFoundRecord } from "../hierarchy/subtree.ts"
import { exportRows } from "../paging/exportRows.ts"
import { readSmallPage, smallOrder, type StoredCount } from "../paging/smallPages.ts"
import { entryColumns, entryJson, entryOf, type EntryRow, seenColumns } from "./entryRow.ts"
import { addSums, visibleTo } from "./storedSums.ts"

const sorts = { occurred_at: "occurred_at", amount: "amount" }

/**
 * Returns the columns and the `from` clause of a list of the entries that a partner sees. The entries of one contract
 * are few, so they are sorted. Any other list is read from an index of `commission_visible`: by the partner of the
 * filter, or else by the partner of the scope.
 */
const listOf = (sql: SqlClient.SqlClient, scope: SubtreeScope, filters: EntryFilters) => {
  const { kind, lender, partner, period, proposal_id, status } = filters
  const top = partner?.partner_id ?? scope.partner_id
  const isOneContract = proposal_id !== undefined
  const conditions: Array<Fragment> = [
    isOneContract ? sql`item.proposal_id = ${proposal_id}` : sql`seen.viewer_id = ${top}`
  ]
  if (isOneContract || top !== scope.partner_id) conditions.push(visibleTo(sql, scope))
  if (period !== undefined) conditions.push(sql`${sql.literal(isOneContract ? "item" : "seen")}.period = ${period}`)
  if (kind !== undefined) conditions.push(sql`item.kind = ${kind}`)
  if (lender !== undefined) conditions.push(sql`item.lender = ${lender}`)
  if (status !== undefined) conditions.push(sql`item.status = ${status}`)
  if (partner?.partner_scope === "self") conditions.push(sql`item.partner_id = ${top}`)
  if (partner?.partner_scope === "subtree" && top !== scope.partner_id) {
    // `viewers` lists a partner and its ancestors, the nearest first. So the partner of the filter is at or below the scope.
    conditions.push(sql`array_position(item.viewers, ${top}::uuid) <=
      array_position(item.viewers, ${scope.partner_id}::uuid)`)
  }
  const tables = isOneContract
    ? sql`commission_entry item`
    : sql`commission_visible seen join commission_entry item on item.id = seen.entry_id`
  return { columns: isOneContract ? entryColumns : seenColumns, from: sql`from ${tables} where ${sql.and(conditions)}` }
}

/**
 * Returns the stored count that is the total of a list. Undefined if a filter other than partner and period applies, or
 * if no index has the order of the list.
 */
const countOf = (
  sql: SqlClient.SqlClient,
  scope: SubtreeScope,
  { filters: { partner, period, ...others }, sort: [{ property }, ...further] }: Pick<EntryQuery, "filters" | "sort">
): StoredCount => {
  const isOrdered = further.length === 0 && (period === undefined || property === "occurred_at")
  const isSmallerScope = partner?.partner_scope === "subtree" && partner.partner_id !== scope.partner_id
  const isFiltered = isSmallerScope || Object.values(others).some((value) => value !== undefined)
  const ofPartner = partner?.partner_scope === "self"
    ? sql`partner_id = ${partner.partner_id}`
    : sql`partner_id is null`
  return {
    isTotal: isOrdered && !isFiltered,
    value: sql`(
      select coalesce(sum(entries), 0)::bigint from commission_sum
      where viewer_id = ${scope.partner_id} and ${ofPartner}
        and ${period === undefined ? sql`true` : sql`period = ${period}`}
    )`
  }
}

export const layer: Layer.Layer<CommissionLedger, never, SqlClient.SqlClient> = Layer.effect(
  CommissionLedger,
  Effect.map(SqlClient.SqlClient, (sql) =>
    CommissionLedger.of({
      append: (entries) =>
        Effect.asVoid(orDie(sql`
          with added as (insert into commission_entry (
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
          on conflict (proposal_id, partner_id, kind) where kind <> 'ADJUSTMENT' do nothing
          returning id, partner_id, viewers, kind, amount, period, status, occurred_at),
          visible as (
            insert into commission_visible (viewer_id, occurred_at, entry_id, period, amount)
            select unnest(viewers), occurred_at, id, period, amount from added
          ),
          summed as (${addSums(sql, "added", "append")})
          select`)),
      accruals: (proposal_id) =>
        Effect.map(
          orDie(sql<EntryRow>`
            select ${
            sql.literal(entryColumns)
          } from commission_entry item where proposal_id = ${proposal_id} and kind = 'ACCRUAL'`),
          (rows) => rows.map(entryOf)
        ),
      findContract: (scope, id) =>
        Effect.map(
          orDie(sql<{ readonly id: ProposalId; readonly inside: boolean }>`
            select item.id,
              ${subtreeOf(sql, scope).contains(locationOfItem(sql, "partner_id"))} as inside
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
      list: (scope, query, budget = Number.POSITIVE_INFINITY) =>
        readSmallPage(
          sql,
          {
            ...listOf(sql, scope, query.filters),
            // The entries of one contract are few, so they are counted directly.
            counted: query.filters.proposal_id === undefined ? countOf(sql, scope, query) : undefined,
            sorts,
            id: "id",
            toItem: entryOf
          },
          query,
          budget
        ),
      exportAll: (scope, { filters, sort }) => {
        const { columns: listed, from } = listOf(sql, scope, filters)
        return Stream.map(
          exportRows<EntryRow>(
            sql,
            Effect.succeed(sql`
              select * from (select ${sql.literal(listed)} ${from}) item
              order by ${smallOrder(sql, { id: "id", sorts }, sort)}`)
          ),
          entryOf
        )
      }
    }))
)
