import { type ClosingId, CommissionSettlement, type PartnerSums, type SummaryAmounts } from "@lastro/domain/commission"
import { offsetOf } from "@lastro/domain/input"
import { ReadBudgetExceeded } from "@lastro/domain/ports"
import { type Centavos, type PartnerId } from "@lastro/domain/values"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { toTimestamp } from "../database/columnValues.ts"
import { orDie } from "../database/DatabaseFailure.ts"
import { readSmallPage, smallOrder } from "../paging/smallPages.ts"
import { toCentavos } from "./entryRow.ts"
import { payoutColumns, payoutOf } from "./payoutRow.ts"
import { addSums, visibleTo } from "./storedSums.ts"

type SumRow = { readonly [Name in Exclude<keyof PartnerSums, "partner_id">]: number }

interface SummaryRow extends SumRow {
  readonly partner_id: PartnerId | null
  readonly partners: bigint
  readonly sums: SummaryAmounts
}

const sumsOf = (partner_id: PartnerId, row: SumRow): PartnerSums => ({
  partner_id,
  accrued: row.accrued as Centavos,
  clawed_back: row.clawed_back as Centavos,
  adjusted: row.adjusted as Centavos,
  paid: row.paid as Centavos,
  contracts: row.contracts,
  earlier: row.earlier as Centavos
})

export const layer: Layer.Layer<CommissionSettlement, never, SqlClient.SqlClient> = Layer.effect(
  CommissionSettlement,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const lockPartner = (id: PartnerId) => sql`select from partner where id = ${id} for no key update`
    return CommissionSettlement.of({
      summarize: Effect.fnUntraced(
        function*(scope, { filters: { partner_id = null, period }, page, sort }, budget = Number.POSITIVE_INFINITY) {
          const order = smallOrder(sql, { id: "partner_id", sorts: { partner_id: "partner_id" } }, sort)
          // `earlier` is the unpaid sum of earlier months. If it is negative, it reduces the payable amount of this month.
          const rows = yield* orDie(
            sql<SummaryRow>`
              with before as (
                select partner_id, sum(unpaid) as unpaid from commission_sum
                where viewer_id = ${scope.partner_id} and period < ${period} and has_unpaid
                  and partner_id is not null
                  and (${partner_id}::uuid is null or partner_id = ${partner_id}::uuid)
                group by partner_id
              ),
              summed as materialized (
                select partner_id, accrued::double precision, clawed_back::double precision,
                  adjusted::double precision, paid::double precision, contracts::double precision,
                  coalesce(before.unpaid, 0)::double precision as earlier
                from commission_sum left join before using (partner_id)
                where viewer_id = ${scope.partner_id} and period = ${period} and partner_id is not null
                  and (${partner_id}::uuid is null or partner_id = ${partner_id}::uuid)
              ),
              total as (
                select count(*) as partners, jsonb_build_object(
                  'accrued', coalesce(sum(accrued), 0),
                  'clawed_back', coalesce(sum(clawed_back), 0),
                  'adjusted', coalesce(sum(adjusted), 0),
                  'balance', coalesce(sum(accrued + clawed_back + adjusted), 0),
                  'carried', coalesce(sum(least(0, earlier)), 0),
                  'paid', coalesce(sum(paid), 0),
                  'payable', coalesce(
                    sum(greatest(0, accrued + clawed_back + adjusted + least(0, earlier) - paid)), 0
                  ),
                  'contracts', coalesce(sum(contracts), 0)
                ) as sums
                from summed
              )
              select total.partners, total.sums, item.* from total left join (
                select * from summed order by ${order} limit ${page.size} offset ${offsetOf(page)}
              ) item on true
              order by ${order}`.unprepared
          )
          const [first] = rows
          const partners = Number(first?.partners ?? 0)
          if (first === undefined || partners > budget) return yield* new ReadBudgetExceeded()
          return {
            items: rows.flatMap((row) => row.partner_id === null ? [] : [sumsOf(row.partner_id, row)]),
            total: partners,
            sums: first.sums
          }
        }
      ),
      close: Effect.fnUntraced(function*(scope, { record }, { at, closing_id, created_by, limit, period, today }) {
        yield* orDie(lockPartner(record))
        const [row] = yield* orDie(sql<{
          readonly id: ClosingId
          readonly created_at: Date
          readonly entries: bigint
          readonly amount: bigint
          readonly is_complete: boolean
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
          due as materialized (
            select item.ctid as place from commission_entry item
            where item.partner_id = ${record} and item.status = 'OPEN' and item.period <= ${period}
              and item.payable_on <= ${today} and ${visibleTo(sql, scope)}
            order by item.period limit ${limit + 1}
          ),
          closed as (
            update commission_entry item set status = 'CLOSED'
            where item.ctid = any(array(select place from due limit ${limit}))
            returning amount
          )
          select first.id, first.created_at, (select count(*) from closed) as entries,
            (select coalesce(sum(amount), 0)::bigint from closed) as amount,
            (select count(*) from due) <= ${limit} as is_complete
          from first limit 1`)
        if (row === undefined) return yield* Effect.die(new Error("The closing was not stored"))
        return {
          closing_id: row.id,
          created_at: toTimestamp(row.created_at),
          entries: Number(row.entries),
          amount: toCentavos(row.amount),
          is_complete: row.is_complete
        }
      }),
      closedSum: Effect.fnUntraced(function*(scope, { record }, period) {
        yield* orDie(lockPartner(record))
        const [row] = yield* orDie(sql<{ readonly amount: bigint; readonly entries: bigint }>`
          select coalesce(sum(amount), 0)::bigint as amount, count(*) as entries from commission_entry item
          where item.partner_id = ${record} and item.status = 'CLOSED' and item.period <= ${period}
            and ${visibleTo(sql, scope)}`)
        return { amount: toCentavos(row?.amount ?? 0n), entries: Number(row?.entries ?? 0) }
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
          ),
          changed as (
            update commission_entry item set status = 'PAID', payout_id = ${payout.payout_id}
            where item.partner_id = ${record} and item.status = 'CLOSED' and item.period <= ${payout.period}
              and ${visibleTo(sql, scope)}
            returning viewers, period, partner_id, amount
          ),
          summed as (${addSums(sql, "changed", "pay")})
          select`)),
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
