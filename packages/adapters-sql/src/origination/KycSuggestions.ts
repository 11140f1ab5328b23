import { type KycValues } from "@lastro/domain/kyc"
import { KycSuggestions } from "@lastro/domain/origination"
import { Array as Arr, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { orDie } from "../database/DatabaseFailure.ts"
import { locationOf, subtreeOf } from "../hierarchy/subtree.ts"

/** Suggests the KYC values last submitted for the same customer in the partner's subtree. */
export const layer: Layer.Layer<KycSuggestions, never, SqlClient.SqlClient> = Layer.effect(
  KycSuggestions,
  Effect.map(SqlClient.SqlClient, (sql) =>
    KycSuggestions.of({
      suggest: ({ record: { application_id, customer, partner_id } }) =>
        Effect.map(
          orDie(sql<{ readonly kyc: KycValues }>`
            select kyc from application
            where root_id = (select root_id from partner where id = ${partner_id}) and cpf = ${customer.cpf}
              and customer ->> 'birth_date' = ${customer.birth_date} and kyc_at is not null and id <> ${application_id}
              and ${subtreeOf(sql, partner_id).contains(locationOf(sql, sql.literal("application.partner_id")))}
            order by kyc_at desc, id desc limit 1`),
          (rows) => Option.map(Arr.head(rows), ({ kyc }) => kyc)
        )
    }))
)
