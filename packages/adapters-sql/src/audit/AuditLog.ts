import { type AuditEntry, AuditLog } from "@lastro/domain/audit"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { toJson } from "../database/columnValues.ts"
import { orDie } from "../database/DatabaseFailure.ts"
import { precompileStatement, sendAhead } from "../database/postgres/statements.ts"

const columns = Object.keys(
  {
    id: true,
    at: true,
    actor: true,
    action: true,
    subject_id: true,
    partner_id: true,
    before: true,
    after: true,
    changed: true,
    request_id: true
  } satisfies Record<keyof AuditEntry, true>
) as ReadonlyArray<keyof AuditEntry>

export const layer: Layer.Layer<AuditLog, never, SqlClient.SqlClient> = Layer.effect(
  AuditLog,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const insert = precompileStatement(sql, columns, (entry) => sql`insert into audit ${sql.insert(entry)}`)
    return AuditLog.of({
      record: (entry) =>
        orDie(sendAhead(insert({ ...entry, before: toJson(entry.before), after: toJson(entry.after) })))
    })
  })
)
