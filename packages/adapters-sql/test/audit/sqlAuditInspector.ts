import { type AuditEntry } from "@lastro/domain/audit"
import { timestampOf } from "@lastro/domain/values"
import { AuditInspector, IdempotencyInspector } from "@lastro/testkit"
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

/** Reads the table of stored responses. */
const sqlIdempotencyInspector = Layer.effect(
  IdempotencyInspector,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    values: Effect.map(
      Effect.orDie(sql<Readonly<Record<string, string | Uint8Array | null>>>`
        select slot, partner_id::text, record_id, sealed from idempotency`),
      (rows) => rows.flatMap((row) => Object.values(row).filter((value) => value !== null))
    )
  }))
)

/** Reads the tables that the ports of the administration only write, or encrypt. */
export const sqlInspectors = Layer.merge(sqlAuditInspector, sqlIdempotencyInspector)
