import { type Routing, type RoutingLink, RoutingRepository } from "@lastro/domain/lender"
import { type LenderName } from "@lastro/domain/offer"
import { ReadBudgetExceeded } from "@lastro/domain/ports"
import { type PartnerId } from "@lastro/domain/values"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { orDie } from "../database/DatabaseFailure.ts"
import { precompileRead } from "../database/postgres/BoundRead.ts"
import { sendAhead } from "../database/postgres/statements.ts"
import { locationOfItem, selectParts, subtreeOf } from "../hierarchy/subtree.ts"

interface LinkRow {
  readonly partner_id: PartnerId
  /** Null if the partner has no routing. */
  readonly strategy: Routing["strategy"] | null
  readonly lenders: ReadonlyArray<string>
  readonly version: number
}

const linkOf = ({ lenders, partner_id, strategy, version }: LinkRow): RoutingLink => ({
  partner_id,
  routing: strategy === null ? null : { strategy, lenders, version }
})

interface ContractedRow extends LenderName {
  /** Null if it is unknown, because the budget was too small. */
  readonly in_scope: boolean | null
}

const nameOf = ({ code, in_scope, label }: ContractedRow): ReadonlyArray<LenderName> =>
  in_scope === true ? [{ code, label }] : []

export const layer: Layer.Layer<RoutingRepository, never, SqlClient.SqlClient> = Layer.effect(
  RoutingRepository,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const selectChain = precompileRead(
      sql,
      { id: "uuid" },
      ({ id }) =>
        sql<LinkRow>`
        with recursive chain (partner_id, parent_id, height) as (
          select id, parent_id, 0 from partner where id = ${id}
          union all
          select above.id, above.parent_id, chain.height + 1 from chain join partner above on above.id = chain.parent_id
        )
        select partner_id, strategy, coalesce(lenders, '{}') as lenders, coalesce(version, 0) as version
        from chain left join partner_routing using (partner_id) order by height`
    )
    return RoutingRepository.of({
      chainOf: (id) => Effect.map(orDie(selectChain({ id })), (rows) => rows.map(linkOf)),
      save: ({ record: { partner_id } }, { lenders, strategy, version }) =>
        orDie(sendAhead(sql`
          insert into partner_routing (partner_id, strategy, lenders, version)
          values (${partner_id}, ${strategy}, ${lenders}::text[], ${version})
          on conflict (partner_id) do update set
            strategy = excluded.strategy, lenders = excluded.lenders, version = excluded.version`)),
      remove: ({ record: { partner_id } }) =>
        orDie(sendAhead(sql`delete from partner_routing where partner_id = ${partner_id}`)),
      lendersOfContracts: Effect.fnUntraced(function*({ partner_id: top }, except, budget = Number.POSITIVE_INFINITY) {
        const limit = Number.isFinite(budget) ? budget : null
        const rows = yield* orDie(sql<ContractedRow>`
          with recursive tree as (select root_id from partner where id = ${top}),
          known (lender) as (
            select (select min(lender) from proposal where root_id = (select root_id from tree))
            union all
            select (
              select min(lender) from proposal
              where root_id = (select root_id from tree) and proposal.lender > known.lender
            ) from known where known.lender is not null
          ),
          wanted as materialized (
            select lender from known where lender is not null and lender <> all(${except}::text[])
          )
          select wanted.lender as code, coalesce(contract.facts -> 'lender' ->> 'label', wanted.lender) as label,
            case when contract.id is not null then true
              when ${limit}::bigint is not null and exists (
                select from proposal where root_id = (select root_id from tree) and lender = wanted.lender
                order by id offset ${limit}::bigint limit 1
              ) then null
              else false
            end as in_scope
          from wanted left join lateral (
            select item.id from (
              select id, partner_id, region_id from proposal
              where root_id = (select root_id from tree) and lender = wanted.lender
              order by id limit ${limit}::bigint
            ) item
            where ${subtreeOf(sql, top).contains(locationOfItem(sql, "partner_id"))}
            limit 1
          ) one on true left join proposal contract on contract.id = one.id`)
        if (limit === null || rows.every(({ in_scope }) => in_scope !== null)) return rows.flatMap(nameOf)
        // Read all contracts of the scope instead, if they are within the budget.
        const contracts = yield* orDie(sql<ContractedRow>`
          select lender as code, coalesce(facts -> 'lender' ->> 'label', lender) as label, true as in_scope from (${
          selectParts(
            sql,
            { owner: "partner_id" },
            sql`${top}::uuid`,
            (within) => sql`select item.lender, item.facts from proposal item where ${within} limit ${limit + 1}`
          )
        }) item limit ${limit + 1}`)
        if (contracts.length > limit) return yield* new ReadBudgetExceeded()
        const decided = new Map(contracts.map((row) => [row.code, row]))
        return rows.map((row) => row.in_scope === null ? decided.get(row.code) ?? row : row).flatMap(nameOf)
      })
    })
  })
)
