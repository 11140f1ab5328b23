import { type AuditEntry, type AuditFilters, type AuditSortField, AuditTrail } from "@lastro/domain/audit"
import { compareBy, type SortKey } from "@lastro/domain/input"
import { Effect, Layer } from "effect"
import { isWithin } from "../hierarchy/naiveForest.ts"
import { isBetween, matchesValue } from "./filters.ts"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import { parentsOf } from "./MemoryState.ts"
import { readSlice } from "./readSlice.ts"

const passes = ({ action, actor, from, subject_id, to }: AuditFilters) => (entry: AuditEntry): boolean =>
  matchesValue(entry.subject_id, subject_id)
  && matchesValue(entry.actor, actor)
  && matchesValue(entry.action, action)
  && isBetween(entry.at, from, to)

const sortKeys: Readonly<Record<AuditSortField, SortKey<AuditEntry>>> = { at: ({ at }) => at }

const inOrder = compareBy(sortKeys, ({ id }) => id)

/** In-memory `AuditTrail`. */
export const layer = Layer.effect(
  AuditTrail,
  Effect.map(MemoryDatabase, ({ state }) =>
    AuditTrail.of({
      list: (scope, { filters, page, sort }, budget) =>
        Effect.flatMap(state, (now) => {
          const parents = parentsOf(now)
          return readSlice({
            inScope: now.audit.filter(({ partner_id }) => isWithin(parents, scope.partner_id, partner_id)),
            passes: passes(filters),
            filters: { ...filters, scope },
            order: inOrder(sort),
            page,
            budget
          })
        })
    }))
)
