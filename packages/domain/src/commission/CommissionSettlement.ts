import { Context, type Effect } from "effect"
import { type InScope, type SubtreeScope } from "../hierarchy/Scope.ts"
import { type ListQuery } from "../input/ListQuery.ts"
import { type ListSlice } from "../input/Page.ts"
import { type ReadBudgetExceeded } from "../ports/CostlyReads.ts"
import { type CalendarDate } from "../values/CalendarDate.ts"
import { type Centavos } from "../values/Centavos.ts"
import { type PartnerId } from "../values/ids.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { type ClosingId } from "./Closing.ts"
import { type StoredPayout } from "./Payout.ts"
import { type Period } from "./period.ts"
import { type PartnerSums, type SummaryAmounts } from "./summary.ts"

/** The fields by which payouts can be sorted. */
export const payoutSortFields = ["created_at"] as const

/** A parsed query for a list of payouts. */
export type PayoutQuery = ListQuery<{ readonly partner_id?: PartnerId }, typeof payoutSortFields[number]>

/** The fields by which summaries can be sorted. */
export const summarySortFields = ["partner_id"] as const

/** A parsed query for the summary of a period. */
export type SummaryQuery = ListQuery<{ readonly period: Period; readonly partner_id?: PartnerId }, "partner_id">

/** A request to close a period of a partner. */
export interface Closing {
  readonly closing_id: ClosingId
  readonly period: Period
  readonly at: Timestamp
  readonly created_by: string
  /** Entries that are payable after this day stay OPEN. */
  readonly today: CalendarDate
  /** Maximum number of entries to close. */
  readonly limit: number
}

/** The result of a closing: the first closing of the period, and the entries that this one closed. */
export interface Closed {
  readonly closing_id: ClosingId
  readonly created_at: Timestamp
  readonly entries: number
  readonly amount: Centavos
  /** False if further entries are payable. */
  readonly is_complete: boolean
}

/** The CLOSED entries of a partner, which a payout pays. */
export interface ClosedSum {
  readonly amount: Centavos
  readonly entries: number
}

/** A page of summaries, and the sums over all partners of the list. */
export interface SummarySlice extends ListSlice<PartnerSums> {
  readonly sums: SummaryAmounts
}

/**
 * The sums, closings and payouts of commissions. Every method counts, closes and pays only the entries that the partner
 * of the scope sees. Writes join the surrounding transaction.
 */
export class CommissionSettlement extends Context.Service<CommissionSettlement, {
  /**
   * Returns the sums of each partner that has entries in a period, and the sums over all of them (COMM-19). Fails with
   * ReadBudgetExceeded if there are more than `budget` partners. Default: unlimited.
   */
  readonly summarize: (
    scope: SubtreeScope,
    query: SummaryQuery,
    budget?: number
  ) => Effect.Effect<SummarySlice, ReadBudgetExceeded>
  /**
   * Closes the OPEN entries of a partner that are payable by today, of the period and of earlier ones. The first closing
   * of a period stays its closing: later ones return its id and time. If there are more than `limit` entries, closes
   * those of the earliest periods.
   */
  readonly close: (scope: SubtreeScope, partner: InScope<PartnerId>, closing: Closing) => Effect.Effect<Closed>
  /**
   * Returns the sum and the number of the CLOSED entries of a partner up to a period. Other closings and payouts of the
   * partner wait until the transaction ends.
   */
  readonly closedSum: (
    scope: SubtreeScope,
    partner: InScope<PartnerId>,
    period: Period
  ) => Effect.Effect<ClosedSum>
  /** Stores a payout. The CLOSED entries of its partner up to its period become PAID. */
  readonly pay: (scope: SubtreeScope, partner: InScope<PartnerId>, payout: StoredPayout) => Effect.Effect<void>
  /**
   * Returns a page of the payouts that the partner of the scope sees and that match all filters, and their number.
   * Fails with ReadBudgetExceeded if more than `budget` match. Default: unlimited.
   * With `after`, returns the first records after this position, and the position of the last one.
   */
  readonly listPayouts: (
    scope: SubtreeScope,
    query: PayoutQuery,
    budget?: number
  ) => Effect.Effect<ListSlice<StoredPayout>, ReadBudgetExceeded>
}>()("@lastro/domain/commission/CommissionSettlement") {}
