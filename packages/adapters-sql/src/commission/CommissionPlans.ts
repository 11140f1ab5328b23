import { type ChainLink, CommissionPlans, type StoredPlan } from "@lastro/domain/commission"
import { type PartnerId } from "@lastro/domain/values"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { toTimestamp } from "../database/columnValues.ts"
import { orDie } from "../database/DatabaseFailure.ts"
import { readSmallPage } from "../paging/smallPages.ts"

interface PlanRow extends Omit<StoredPlan, "created_at" | "plan_id"> {
  readonly id: StoredPlan["plan_id"]
  readonly created_at: Date
}

const planColumns = "item.id, item.partner_id, item.valid_from, item.basis, item.rates, item.created_at, " +
  "item.created_by, item.writer_partner_id, item.above, item.moves"

const planOf = (row: PlanRow): StoredPlan => ({
  plan_id: row.id,
  partner_id: row.partner_id,
  valid_from: row.valid_from,
  basis: row.basis,
  rates: row.rates,
  created_at: toTimestamp(row.created_at),
  created_by: row.created_by,
  writer_partner_id: row.writer_partner_id,
  above: row.above,
  moves: row.moves
})

/** A link of a chain. The columns of the plan are null if no plan applies. */
type LinkRow =
  & { readonly link_id: PartnerId; readonly link_moves: number }
  & (PlanRow | { readonly id: null })

const linkOf = (row: LinkRow): ChainLink => ({
  partner_id: row.link_id,
  moves: row.link_moves,
  plan: row.id === null ? null : planOf(row)
})

export const layer: Layer.Layer<CommissionPlans, never, SqlClient.SqlClient> = Layer.effect(
  CommissionPlans,
  Effect.map(SqlClient.SqlClient, (sql) => {
    /** Selects the partners from a partner (height 0) up to its root. */
    const path = (partner: PartnerId) =>
      sql`
        recursive path as (
          select id, parent_id, moves, 0 as height from partner where id = ${partner}
          union all
          select above.id, above.parent_id, above.moves, path.height + 1
          from path join partner above on above.id = path.parent_id
        )`
    return CommissionPlans.of({
      insert: ({ record }, plan) =>
        Effect.asVoid(orDie(sql`
          with ${path(record)}
          insert into commission_plan (
            id, partner_id, valid_from, basis, rates, created_at, created_by, writer_partner_id, parent_id, above, moves
          )
          select ${plan.plan_id}::uuid, id, ${plan.valid_from}::text, ${plan.basis}::text,
            ${JSON.stringify(plan.rates)}::jsonb, ${plan.created_at}::timestamptz, ${plan.created_by}::text,
            ${plan.writer_partner_id}::uuid, parent_id,
            coalesce((select array_agg(id order by height) from path where height > 0), '{}'), moves
          from path where height = 0`)),
      list: ({ record }, query, budget = Number.POSITIVE_INFINITY) =>
        readSmallPage(
          sql,
          {
            columns: planColumns,
            from: sql`from commission_plan item where item.partner_id = ${record}`,
            sorts: { created_at: "created_at" },
            id: "id",
            toItem: planOf
          },
          query,
          budget
        ),
      chain: (partner, on) =>
        Effect.map(
          orDie(sql<LinkRow>`
            with ${path(partner)}
            select path.id as link_id, path.moves as link_moves, item.*
            from path left join lateral (
              select ${sql.literal(planColumns)} from commission_plan item
              where item.partner_id = path.id and item.parent_id is not distinct from path.parent_id
                and item.moves = path.moves and item.valid_from <= ${on}
              order by item.valid_from desc, item.sequence desc limit 1
            ) item on true
            order by path.height desc`),
          (rows) => rows.map(linkOf)
        )
    })
  })
)
