import {
  type ChainLink,
  CommissionLedger,
  CommissionPlans,
  type EntryFilters,
  planInForce,
  type StoredEntry,
  type StoredPlan
} from "@lastro/domain/commission"
import { type SubtreeScope } from "@lastro/domain/hierarchy"
import { type PartnerFilter } from "@lastro/domain/ports"
import { type PartnerId } from "@lastro/domain/values"
import { Effect, Layer, Option, Stream } from "effect"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import { type MemoryState, sealWithin, treeOf } from "./MemoryState.ts"
import { ListOrder, matchesValue, readSlice } from "./readSlice.ts"

const movesOf = ({ partners }: MemoryState, id: PartnerId): number => partners.get(id)?.moves ?? 0

const plansInOrder = new ListOrder<StoredPlan, "created_at">(
  { created_at: ({ created_at }) => created_at },
  ({ plan_id }) => plan_id
)

/** In-memory `CommissionPlans`. */
export const layerCommissionPlans = Layer.effect(
  CommissionPlans,
  Effect.map(MemoryDatabase, ({ state, update }) =>
    CommissionPlans.of({
      insert: ({ record }, plan) =>
        update((now) => ({
          ...now,
          plans: [...now.plans, {
            ...plan,
            partner_id: record,
            above: treeOf(now).pathToRoot(record).slice(1),
            moves: movesOf(now, record)
          }]
        })),
      list: ({ record }, query, budget) =>
        Effect.flatMap(state, ({ plans }) =>
          readSlice({
            inScope: plans.filter(({ partner_id }) => partner_id === record),
            passes: () => true,
            query: { ...query, filters: { partner: record } },
            order: plansInOrder,
            budget
          })),
      chain: (partner, on) =>
        Effect.map(state, (now) => {
          const path = treeOf(now).pathToRoot(partner)
          return path.map((partner_id, index): ChainLink => {
            const moves = movesOf(now, partner_id)
            const plans = now.plans.filter((plan) => plan.partner_id === partner_id)
            const plan = planInForce(plans, { parent_id: path[index + 1] ?? null, moves }, on)
            return { partner_id, moves, plan }
          }).toReversed()
        })
    }))
)

/** Returns whether the partner of a scope can see an entry. */
export const sees = ({ partner_id }: SubtreeScope) => ({ viewers }: StoredEntry): boolean =>
  viewers.includes(partner_id)

const isOfPartner = (
  { partner_id, viewers }: StoredEntry,
  filter: PartnerFilter,
  scope: SubtreeScope
): boolean => {
  if (filter.partner_scope === "self") return partner_id === filter.partner_id
  // The viewers are the path from the partner of the entry to the root. Partners above the scope do not count.
  const upToScope = viewers.slice(0, viewers.indexOf(scope.partner_id) + 1)
  return upToScope.includes(filter.partner_id)
}

const passes = (scope: SubtreeScope, { kind, lender, partner, period, proposal_id, status }: EntryFilters) =>
(
  entry: StoredEntry
): boolean =>
  matchesValue(entry.kind, kind) && matchesValue(entry.lender, lender) && matchesValue(entry.period, period) &&
  matchesValue(entry.proposal_id, proposal_id) && matchesValue(entry.status, status) &&
  (partner === undefined || isOfPartner(entry, partner, scope))

const entriesInOrder = new ListOrder<StoredEntry, "occurred_at" | "amount">(
  { occurred_at: ({ occurred_at }) => occurred_at, amount: ({ amount }) => amount },
  ({ entry_id }) => entry_id
)

/** Returns whether two entries must not both be appended: same partner, contract and kind. */
const isDuplicate = (a: StoredEntry, b: StoredEntry): boolean =>
  a.kind !== "ADJUSTMENT" && a.kind === b.kind && a.partner_id === b.partner_id &&
  a.proposal_id === b.proposal_id

/** In-memory `CommissionLedger`. */
export const layerCommissionLedger = Layer.effect(
  CommissionLedger,
  Effect.map(MemoryDatabase, ({ state, update }) =>
    CommissionLedger.of({
      append: (added) =>
        update((now) => ({
          ...now,
          entries: [
            ...now.entries,
            ...added.filter((entry, index) =>
              ![...now.entries, ...added.slice(0, index)].some((stored) => isDuplicate(stored, entry))
            )
          ]
        })),
      accruals: (proposal_id) =>
        Effect.map(
          state,
          ({ entries }) => entries.filter((entry) => entry.kind === "ACCRUAL" && entry.proposal_id === proposal_id)
        ),
      findContract: (scope, id) =>
        Effect.map(state, (now) => {
          const stored = Array.from(now.applications.values()).find(({ application: { proposal } }) =>
            proposal?.proposal_id === id
          )
          return stored === undefined
            ? Option.none()
            : Option.some(sealWithin(now, scope, stored.application.partner_id, id))
        }),
      closedPeriods: (partners, from) =>
        Effect.map(state, ({ closings }) =>
          new Map(partners.map((partner) => [
            partner,
            new Set(
              closings.filter((closing) => closing.partner_id === partner && closing.period >= from).map(({ period }) =>
                period
              )
            )
          ]))),
      list: (scope, query, budget) =>
        Effect.flatMap(state, ({ entries }) =>
          readSlice({
            inScope: entries.filter(sees(scope)),
            passes: passes(scope, query.filters),
            query,
            order: entriesInOrder,
            budget
          })),
      exportAll: (scope, { filters, sort }) =>
        Stream.unwrap(Effect.map(state, ({ entries }) =>
          Stream.fromIterable(
            entries.filter(sees(scope)).filter(passes(scope, filters)).toSorted(entriesInOrder.compare(sort)),
            { chunkSize: 100 }
          )))
    }))
)
