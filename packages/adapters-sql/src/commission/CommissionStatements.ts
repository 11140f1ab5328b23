import {
  CommissionStatements,
  type StatedContract,
  type StatementComparison,
  type StatementKey
} from "@lastro/domain/commission"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { orDie } from "../database/DatabaseFailure.ts"
import { toCentavos } from "./entryRow.ts"

interface ContractRow {
  readonly reference: string | null
  readonly kind: StatedContract["kind"]
  readonly paid_amount: bigint | null
  readonly commission_amount: bigint
  readonly in_period: boolean
}

export const layer: Layer.Layer<CommissionStatements, never, SqlClient.SqlClient> = Layer.effect(
  CommissionStatements,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const find = ({ digest, lender, period, root_id }: StatementKey) =>
      Effect.map(
        orDie(sql<{ readonly result: StatementComparison }>`
          select result from commission_statement
          where root_id = ${root_id} and lender = ${lender} and period = ${period} and digest = ${digest}`),
        ([row]) => Option.fromUndefinedOr(row?.result)
      )
    return CommissionStatements.of({
      contracts: ({ first, last, lender, references, root_id }, limit) =>
        Effect.map(
          orDie(sql<ContractRow>`
            select reference, kind, max(paid_amount) as paid_amount, sum(amount)::bigint as commission_amount,
              bool_or(happened_on between ${first} and ${last}) as in_period
            from commission_entry
            where root_id = ${root_id} and lender = ${lender} and kind <> 'ADJUSTMENT'
              and (reference = any(${[...references]}::text[]) or happened_on between ${first} and ${last})
            group by proposal_id, reference, kind limit ${limit}`),
          (rows) =>
            rows.map((row): StatedContract => ({
              ...row,
              paid_amount: row.paid_amount === null ? null : toCentavos(row.paid_amount),
              commission_amount: toCentavos(row.commission_amount)
            }))
        ),
      find,
      store: Effect.fnUntraced(function*(key, result) {
        const { digest, lender, period, root_id } = key
        yield* orDie(sql`
          insert into commission_statement (root_id, lender, period, digest, result, created_at)
          values (
            ${root_id}, ${lender}, ${period}, ${digest}, ${JSON.stringify(result)}::jsonb, ${result.compared_at}
          )
          on conflict (root_id, lender, period, digest) do nothing`)
        const stored = yield* find(key)
        return Option.getOrElse(stored, () => result)
      })
    })
  })
)
