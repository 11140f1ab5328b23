import {
  CommissionSettlement,
  type PartnerSums,
  type Period,
  type StoredEntry,
  type StoredPayout,
  type SummaryAmounts,
  summaryOf
} from "@lastro/domain/commission"
import { type SubtreeScope } from "@lastro/domain/hierarchy"
import { takePage } from "@lastro/domain/input"
import { ReadBudgetExceeded } from "@lastro/domain/ports"
import { type Centavos, type PartnerId, zeroCentavos } from "@lastro/domain/values"
import { Effect, Layer } from "effect"
import { sees } from "./commission.ts"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import { ListOrder, matchesValue, readSlice } from "./readSlice.ts"

/** Adds two sums of entries. The sum of many amounts can exceed the bounds of `Centavos`. */
const addSums = (one: Centavos, other: Centavos): Centavos => one + other as Centavos

const sumOf = (entries: ReadonlyArray<StoredEntry>): Centavos =>
  entries.reduce((sum, { amount }) => addSums(sum, amount), zeroCentavos)

const sumsOf = (partner_id: PartnerId, entries: ReadonlyArray<StoredEntry>, period: Period): PartnerSums => {
  const ofPartner = entries.filter((entry) => entry.partner_id === partner_id)
  const ofPeriod = ofPartner.filter((entry) => entry.period === period)
  const ofKind = (kind: StoredEntry["kind"]) => ofPeriod.filter((entry) => entry.kind === kind)
  return {
    partner_id,
    accrued: sumOf(ofKind("ACCRUAL")),
    clawed_back: sumOf(ofKind("CLAWBACK")),
    adjusted: sumOf(ofKind("ADJUSTMENT")),
    paid: sumOf(ofPeriod.filter(({ status }) => status === "PAID")),
    contracts: ofKind("ACCRUAL").length - ofKind("CLAWBACK").length,
    earlier: sumOf(ofPartner.filter((entry) => entry.period < period && entry.status !== "PAID"))
  }
}

const noAmounts: SummaryAmounts = {
  accrued: zeroCentavos,
  clawed_back: zeroCentavos,
  adjusted: zeroCentavos,
  balance: zeroCentavos,
  carried: zeroCentavos,
  paid: zeroCentavos,
  payable: zeroCentavos,
  contracts: 0
}

const addAmounts = (one: SummaryAmounts, other: SummaryAmounts): SummaryAmounts => ({
  accrued: addSums(one.accrued, other.accrued),
  clawed_back: addSums(one.clawed_back, other.clawed_back),
  adjusted: addSums(one.adjusted, other.adjusted),
  balance: addSums(one.balance, other.balance),
  carried: addSums(one.carried, other.carried),
  paid: addSums(one.paid, other.paid),
  payable: addSums(one.payable, other.payable),
  contracts: one.contracts + other.contracts
})

const partnersInOrder = new ListOrder<PartnerSums, "partner_id">(
  { partner_id: ({ partner_id }) => partner_id },
  ({ partner_id }) => partner_id
)

const payoutsInOrder = new ListOrder<StoredPayout, "created_at">(
  { created_at: ({ created_at }) => created_at },
  ({ payout_id }) => payout_id
)

const isClosed = (scope: SubtreeScope, partner: PartnerId, period: Period) => (entry: StoredEntry): boolean =>
  sees(scope)(entry) && entry.partner_id === partner && entry.status === "CLOSED" && entry.period <= period

/** In-memory `CommissionSettlement`. */
export const layerCommissionSettlement = Layer.effect(
  CommissionSettlement,
  Effect.map(MemoryDatabase, ({ state, update }) =>
    CommissionSettlement.of({
      summarize: (scope, { filters: { partner_id, period }, page, sort }, budget = Number.POSITIVE_INFINITY) =>
        Effect.flatMap(state, (now) => {
          const visible = now.entries.filter(sees(scope))
          const partners = new Set(
            visible.filter((entry) => entry.period === period && matchesValue(entry.partner_id, partner_id))
              .map((entry) => entry.partner_id)
          )
          if (partners.size > budget) return Effect.fail(new ReadBudgetExceeded())
          const sums = Array.from(partners, (partner) => sumsOf(partner, visible, period))
          return Effect.succeed({
            ...takePage(sums.toSorted(partnersInOrder.compare(sort)), page),
            sums: sums.map(summaryOf).reduce(addAmounts, noAmounts)
          })
        }),
      close: Effect.fnUntraced(function*(scope, { record }, { at, closing_id, limit, period, today }) {
        const before = yield* state
        // A period that is closed again keeps its first closing.
        const first = before.closings.find((closing) => closing.partner_id === record && closing.period === period) ??
          { closing_id, partner_id: record, period, created_at: at }
        const payable = before.entries.filter((entry) =>
          sees(scope)(entry) && entry.partner_id === record && entry.status === "OPEN" && entry.period <= period &&
          entry.payable_on <= today
        )
        const due = new Set(payable.toSorted((a, b) => a.period.localeCompare(b.period)).slice(0, limit))
        yield* update((now) => ({
          ...now,
          closings: now.closings.includes(first) ? now.closings : [...now.closings, first],
          entries: now.entries.map((entry) => due.has(entry) ? { ...entry, status: "CLOSED" as const } : entry)
        }))
        return {
          closing_id: first.closing_id,
          created_at: first.created_at,
          entries: due.size,
          amount: sumOf(Array.from(due)),
          is_complete: due.size === payable.length
        }
      }),
      closedSum: (scope, { record }, period) =>
        Effect.map(state, ({ entries }) => {
          const closed = entries.filter(isClosed(scope, record, period))
          return { amount: sumOf(closed), entries: closed.length }
        }),
      pay: (scope, { record }, payout) =>
        update((now) => ({
          ...now,
          payouts: [...now.payouts, payout],
          entries: now.entries.map((entry) =>
            isClosed(scope, record, payout.period)(entry)
              ? { ...entry, status: "PAID" as const, payout_id: payout.payout_id }
              : entry
          )
        })),
      listPayouts: ({ partner_id }, query, budget) =>
        Effect.flatMap(state, ({ payouts }) =>
          readSlice({
            inScope: payouts.filter(({ viewers }) => viewers.includes(partner_id)),
            passes: (payout) => matchesValue(payout.partner_id, query.filters.partner_id),
            query,
            order: payoutsInOrder,
            budget
          }))
    }))
)
