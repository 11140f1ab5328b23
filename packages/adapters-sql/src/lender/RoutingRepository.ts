import { type Routing, type RoutingLink, RoutingRepository } from "@lastro/domain/lender"
import { type LenderName } from "@lastro/domain/offer"
import { type PartnerId } from "@lastro/domain/values"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { orDie } from "../database/DatabaseFailure.ts"
import { precompileRead } from "../database/postgres/BoundRead.ts"
import { sendAhead } from "../database/postgres/statements.ts"
import { locationOfItem, subtreeOf } from "../hierarchy/subtree.ts"

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
      // The recursion reads one index entry per lender. After that, only contracts of lenders that are not in `except`
      // are read, usually none.
      lendersOfContracts: ({ partner_id: top }, except) =>
        orDie(sql<LenderName>`
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
          select wanted.lender as code, coalesce(one.facts -> 'lender' ->> 'label', wanted.lender) as label
          from wanted cross join lateral (
            select item.facts from proposal item
            where item.root_id = (select root_id from tree) and item.lender = wanted.lender
              and ${subtreeOf(sql, top).contains(locationOfItem(sql, "partner_id"))}
            limit 1
          ) one`)
    })
  })
)
