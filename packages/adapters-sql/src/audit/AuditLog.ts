import { AuditLog } from "@lastro/domain/audit"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { toJson } from "../database/columnValues.ts"
import { orDie } from "../database/DatabaseFailure.ts"
import { sendAhead } from "../database/postgres/statements.ts"

export const layer: Layer.Layer<AuditLog, never, SqlClient.SqlClient> = Layer.effect(
  AuditLog,
  Effect.map(SqlClient.SqlClient, (sql) =>
    AuditLog.of({
      record: ({ after, before, ...entry }) =>
        orDie(sendAhead(
          sql`insert into audit ${sql.insert({ ...entry, before: toJson(before), after: toJson(after) })}`
        ))
    }))
)
