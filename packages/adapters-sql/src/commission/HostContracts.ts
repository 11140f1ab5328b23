import { HostContracts, type StoredHostContract } from "@lastro/domain/commission"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { toTimestamp } from "../database/columnValues.ts"
import { orDie } from "../database/DatabaseFailure.ts"

interface ContractRow extends Omit<StoredHostContract, "accepted_at" | "contract_id"> {
  readonly id: StoredHostContract["contract_id"]
  readonly accepted_at: Date
}

export const layer: Layer.Layer<HostContracts, never, SqlClient.SqlClient> = Layer.effect(
  HostContracts,
  Effect.map(SqlClient.SqlClient, (sql) =>
    HostContracts.of({
      insert: ({ record }, { accepted_at, amounts, contract_id, frozen, root_id, status }) =>
        Effect.map(
          orDie(sql`
          insert into commission_contract (id, root_id, partner_id, partners, status, frozen, amounts, accepted_at)
          values (
            ${contract_id}, ${root_id}, ${record}, ${
            frozen?.chain.map(({ partner_id }) => partner_id) ?? []
          }::uuid[], ${status},
            ${frozen === null ? null : JSON.stringify(frozen)}::jsonb, ${JSON.stringify(amounts)}::jsonb, ${accepted_at}
          )
          on conflict (id) do nothing returning id`),
          (stored) => stored.length > 0
        ),
      findForUpdate: (id) =>
        Effect.map(
          orDie(sql<ContractRow>`
            select id, root_id, partner_id, status, frozen, amounts, accepted_at
            from commission_contract where id = ${id} for no key update`),
          ([row]) => {
            if (row === undefined) return Option.none()
            const { accepted_at, id, ...contract } = row
            return Option.some({ ...contract, contract_id: id, accepted_at: toTimestamp(accepted_at) })
          }
        ),
      setStatus: (id, status) =>
        Effect.asVoid(orDie(sql`update commission_contract set status = ${status} where id = ${id}`))
    }))
)
