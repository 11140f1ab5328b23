import { type ClosingId, CommissionSettlement, type PartnerSums, type SummaryAmounts } from "@lastro/domain/commission"
import { offsetOf } from "@lastro/domain/input"
import { ReadBudgetExceeded } from "@lastro/domain/ports"
import { type PartnerId } from "@lastro/domain/values"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Fragment } from "effect/sql/Statement"
import { toTimestamp } from "../database/columnValues.ts"
import { orDie } from "../database/DatabaseFailure.ts"
import { readSmallPage, smallOrder } from "../paging/smallPages.ts"
import { visibleTo } from "./CommissionLedger.ts"
import { toCentavos } from "./entryRow.ts"
import { payoutColumns, payoutOf } from "./payoutRow.ts"

/** The sums of a partner or of all, as bigints. */
type SumRow = { readonly [Name in Exclude<keyof PartnerSums, "partner_id">]: bigint }

interface SummaryRow extends SumRow {
  readonly partner_id: PartnerId | null
  readonly partners: bigint
  readonly sums: { readonly [Name in keyof SummaryAmounts]: string }
}

const sumsOf = (partner_id: PartnerId, row: SumRow): PartnerSums => ({
  partner_id,
  accrued: toCentavos(row.accrued),
  clawed_back: toCentavos(row.clawed_back),
  adjusted: toCentavos(row.adjusted),
  paid: toCentavos(row.paid),
  contracts: Number(row.contracts),
  earlier: toCentavos(row.earlier)
})

const amountOf = (text: string) => toCentavos(BigInt(text))

/** Sums up, closes and pays commissions in PostgreSQL. */
export const layer: Layer.Layer<CommissionSettlement, never, SqlClient.SqlClient> = Layer.effect(
  CommissionSettlement,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const lockPartner = (id: PartnerId) => sql`select from partner where id = ${id} for no key update`
    const ofKind = (kind: string): Fragment =>
      sql`coalesce(sum(amount) filter (where kind = ${sql.literal(`'${kind}'`)}), 0)::bigint`
    const countOf = (kind: string): Fragment => sql`count(*) filter (where kind = ${sql.literal(`'${kind}'`)})`
    return CommissionSettlement.of({
      summarize: Effect.fnUntraced(
        function*(scope, { filters: { partner_id = null, period }, page, sort }, budget = Number.POSITIVE_INFINITY) {
          const order = smallOrder(sql, { id: "partner_id", sorts: { partner_id: "partner_id" } }, sort)
          const [first, ...others] = yield* orDie(
            sql<SummaryRow>`
              with present as materialized (
                select partner_id, ${ofKind("ACCRUAL")} as accrued, ${ofKind("CLAWBACK")} as clawed_back,
                  ${ofKind("ADJUSTMENT")} as adjusted,
                  coalesce(sum(amount) filter (where status = 'PAID'), 0)::bigint as paid,
                  ${countOf("ACCRUAL")} - ${countOf("CLAWBACK")} as contracts
                from commission_entry item
                where ${visibleTo(sql, scope)} and item.period = ${period}
                  and (${partner_id}::uuid is null or item.partner_id = ${partner_id}::uuid)
                group by partner_id
              ),
              summed as materialized (
                select present.*, coalesce((
                  select sum(amount) from commission_entry item
                  where item.partner_id = present.partner_id and item.status <> 'PAID' and item.period < ${period}
                    and ${visibleTo(sql, scope)}
                ), 0)::bigint as earlier
                from present
              ),
              total as (
                select count(*) as partners, jsonb_build_object(
                  'accrued', coalesce(sum(accrued), 0)::text,
                  'clawed_back', coalesce(sum(clawed_back), 0)::text,
                  'adjusted', coalesce(sum(adjusted), 0)::text,
                  'balance', coalesce(sum(accrued + clawed_back + adjusted), 0)::text,
                  'carried', coalesce(sum(least(0, earlier)), 0)::text,
                  'paid', coalesce(sum(paid), 0)::text,
                  'payable', coalesce(
                    sum(greatest(0, accrued + clawed_back + adjusted + least(0, earlier) - paid)), 0
                  )::text,
                  'contracts', coalesce(sum(contracts), 0)::text
                ) as sums
                from summed
              )
              select total.partners, total.sums, item.* from total left join (
                select * from summed order by ${order} limit ${page.size} offset ${offsetOf(page)}
              ) item on true
              order by ${order}`.unprepared
          )
          const partners = Number(first?.partners ?? 0)
          if (first === undefined || partners > budget) return yield* new ReadBudgetExceeded()
          const { sums } = first
          return {
            items: [first, ...others].flatMap((row) => row.partner_id === null ? [] : [sumsOf(row.partner_id, row)]),
            total: partners,
            sums: {
              accrued: amountOf(sums.accrued),
              clawed_back: amountOf(sums.clawed_back),
              adjusted: amountOf(sums.adjusted),
              balance: amountOf(sums.balance),
              carried: amountOf(sums.carried),
              paid: amountOf(sums.paid),
              payable: amountOf(sums.payable),
              contracts: Number(sums.contracts)
            }
          }
        }
      ),
      close: Effect.fnUntraced(function*(scope, { record }, { at, closing_id, created_by, period, today }) {
        yield* orDie(lockPartner(record))
        const [row] = yield* orDie(sql<{
          readonly id: ClosingId
          readonly created_at: Date
          readonly entries: bigint
          readonly amount: bigint
        }>`
          with added as (
            insert into commission_closing (id, partner_id, period, created_at, created_by)
            values (${closing_id}, ${record}, ${period}, ${at}, ${created_by})
            on conflict (partner_id, period) do nothing
            returning id, created_at
          ),
          first as (
            select id, created_at from added
            union all
            select id, created_at from commission_closing where partner_id = ${record} and period = ${period}
          ),
          closed as (
            update commission_entry item set status = 'CLOSED'
            where item.partner_id = ${record} and item.status = 'OPEN' and item.period <= ${period}
              and item.payable_on <= ${today} and ${visibleTo(sql, scope)}
            returning amount
          )
          select first.id, first.created_at, (select count(*) from closed) as entries,
            (select coalesce(sum(amount), 0)::bigint from closed) as amount
          from first limit 1`)
        if (row === undefined) return yield* Effect.die(new Error("The closing was not stored"))
        return {
          closing_id: row.id,
          created_at: toTimestamp(row.created_at),
          entries: Number(row.entries),
          amount: toCentavos(row.amount)
        }
      }),
      closedAmount: Effect.fnUntraced(function*(scope, { record }, period) {
        yield* orDie(lockPartner(record))
        const [row] = yield* orDie(sql<{ readonly amount: bigint }>`
          select coalesce(sum(amount), 0)::bigint as amount from commission_entry item
          where item.partner_id = ${record} and item.status = 'CLOSED' and item.period <= ${period}
            and ${visibleTo(sql, scope)}`)
        return toCentavos(row?.amount ?? 0n)
      }),
      pay: (scope, { record }, payout) =>
        Effect.asVoid(orDie(sql`
          with paid as (
            insert into commission_payout (
              id, partner_id, viewers, period, amount, net_amount, withheld, reference, paid_at, created_at
            )
            values (
              ${payout.payout_id}, ${record}, ${[...payout.viewers]}::uuid[], ${payout.period}, ${payout.amount},
              ${payout.net_amount}, ${JSON.stringify(payout.withheld)}::jsonb, ${payout.reference}, ${payout.paid_at},
              ${payout.created_at}
            )
          )
          update commission_entry item set status = 'PAID', payout_id = ${payout.payout_id}
          where item.partner_id = ${record} and item.status = 'CLOSED' and item.period <= ${payout.period}
            and ${visibleTo(sql, scope)}`)),
      listPayouts: ({ partner_id: viewer }, { filters: { partner_id = null }, ...query }, budget = Infinity) =>
        readSmallPage(
          sql,
          {
            columns: payoutColumns,
            from: sql`
              from commission_payout item
              where item.viewers @> array[${viewer}::uuid]
                and (${partner_id}::uuid is null or item.partner_id = ${partner_id}::uuid)`,
            sorts: { created_at: "created_at" },
            id: "id",
            toItem: payoutOf
          },
          query,
          budget
        )
    })
  })
)
