import {
  type AuditEntry,
  type AuditFilters,
  AuditLog,
  AuditRetention,
  type AuditSortField,
  AuditTrail
} from "@lastro/domain/audit"
import { type SortKey } from "@lastro/domain/input"
import { type Timestamp } from "@lastro/domain/values"
import { Context, Effect, Layer, Stream } from "effect"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import { exportRows, isBetween, ListOrder, listRows, matchesValue } from "./readSlice.ts"

const passes = ({ action, actor, from, partner_id, subject_id, to }: AuditFilters) => (entry: AuditEntry): boolean =>
  matchesValue(entry.subject_id, subject_id)
  && matchesValue(entry.actor, actor)
  && matchesValue(entry.action, action)
  && matchesValue(entry.partner_id, partner_id)
  && isBetween(entry.at, from, to)

const sortKeys: Readonly<Record<AuditSortField, SortKey<AuditEntry>>> = { at: ({ at }) => at }

const inOrder = new ListOrder(sortKeys, ({ id }) => id)

/** In-memory `AuditTrail`. */
export const layerAuditTrail = Layer.effect(
  AuditTrail,
  Effect.map(MemoryDatabase, ({ state }) => {
    const list = listRows(state, { rows: ({ audit }) => audit, passes, inOrder })
    return AuditTrail.of({
      exportAll: exportRows(state, { rows: ({ audit }) => audit, passes, inOrder }),
      list: (scope, query, budget) => {
        // The scope counts as a filter, because a database has no index that keeps the entries of a scope in order.
        const filters = { ...query.filters, scope }
        return list(scope, { ...query, filters }, budget)
      }
    })
  })
)

/** In-memory `AuditLog`. */
export const layerAuditLog = Layer.effect(
  AuditLog,
  Effect.map(
    MemoryDatabase,
    ({ update }) => AuditLog.of({ record: (entry) => update((now) => ({ ...now, audit: [...now.audit, entry] })) })
  )
)

/** In-memory `AuditRetention`. */
export const layerAuditRetention = Layer.effect(
  AuditRetention,
  Effect.map(MemoryDatabase, ({ state, update }) => {
    const oldest = inOrder.compare([{ property: "at", direction: "asc" }])
    const before = (audit: ReadonlyArray<AuditEntry>, time: Timestamp) =>
      audit.filter(({ at }) => at < time).toSorted(oldest)
    return AuditRetention.of({
      exportBefore: (time) => Stream.unwrap(Effect.map(state, ({ audit }) => Stream.fromIterable(before(audit, time)))),
      deleteBefore: (time, limit) =>
        Effect.map(state, ({ audit }) => before(audit, time).slice(0, limit)).pipe(
          Effect.tap((deleted) => {
            const removed = new Set(deleted)
            return update((now) => ({ ...now, audit: now.audit.filter((entry) => !removed.has(entry)) }))
          }),
          Effect.map(({ length }) => length)
        )
    })
  })
)

/**
 * Reads the audit log without a scope. Only contract suites that check entries of `AuditLog` require this service from
 * their layer.
 */
export class AuditInspector extends Context.Service<AuditInspector, {
  /** Returns the audit entries about the record with this id, oldest first. */
  readonly entriesOf: (subject_id: string) => Effect.Effect<ReadonlyArray<AuditEntry>>
}>()("@lastro/testkit/memory/audit/AuditInspector") {}

/** Reads the in-memory audit log. */
export const layerAuditInspector = Layer.effect(
  AuditInspector,
  Effect.map(MemoryDatabase, ({ state }) =>
    AuditInspector.of({
      entriesOf: (subject_id) =>
        Effect.map(state, ({ audit }) => audit.filter((entry) => entry.subject_id === subject_id))
    }))
)
