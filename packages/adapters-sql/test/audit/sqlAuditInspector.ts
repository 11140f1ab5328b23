import { type AuditEntry } from "@lastro/domain/audit"
import { timestampOf } from "@lastro/domain/values"
import { AuditInspector } from "@lastro/testkit"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

/** Reads the audit table. */
export const sqlAuditInspector = Layer.effect(
  AuditInspector,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    entriesOf: (subject_id: string) =>
      Effect.map(
        Effect.orDie(sql<Omit<AuditEntry, "at"> & { readonly at: Date }>`
          select id, at, actor, action, subject_id, partner_id, before, after, changed, request_id
          from audit where subject_id = ${subject_id} order by position`),
        (rows) => rows.map((row): AuditEntry => ({ ...row, at: timestampOf(row.at.getTime()) }))
      )
  }))
)
