import { AuditLog } from "@lastro/domain/audit"
import { Effect, Layer, Result } from "effect"
import { AuditInspector } from "../audit/AuditInspector.ts"
import { MemoryDatabase } from "./MemoryDatabase.ts"

/** In-memory `AuditLog`. */
export const layer = Layer.effect(
  AuditLog,
  Effect.map(MemoryDatabase, ({ change }) =>
    AuditLog.of({
      record: (entry) => change((now) => Result.succeed({ ...now, audit: [...now.audit, entry] }))
    }))
)

/** Reads the in-memory audit log. */
export const layerInspector = Layer.effect(
  AuditInspector,
  Effect.map(MemoryDatabase, ({ state }) =>
    AuditInspector.of({
      entriesOf: (subject_id) =>
        Effect.map(state, ({ audit }) => audit.filter((entry) => entry.subject_id === subject_id))
    }))
)
