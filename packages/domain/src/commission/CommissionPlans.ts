import { Context, type Effect } from "effect"
import { type InScope } from "../hierarchy/Scope.ts"
import { type ListQuery } from "../input/ListQuery.ts"
import { type ListSlice } from "../input/Page.ts"
import { type ReadBudgetExceeded } from "../ports/CostlyReads.ts"
import { type CalendarDate } from "../values/CalendarDate.ts"
import { type PartnerId } from "../values/ids.ts"
import { type ChainLink } from "./chain.ts"
import { type NewPlan, type StoredPlan } from "./Plan.ts"

/** The fields by which plans can be sorted. */
export const planSortFields = ["created_at"] as const

/** A parsed query for the plans of a partner. */
export type PlanQuery = ListQuery<object, typeof planSortFields[number]>

/** Stores commission plans. A stored plan never changes. Writes join the surrounding transaction. */
export class CommissionPlans extends Context.Service<CommissionPlans, {
  /** Stores a plan with the present position of its partner in the tree. */
  readonly insert: (partner: InScope<PartnerId>, plan: NewPlan) => Effect.Effect<void>
  /**
   * Returns a page of the plans of a partner, in the order in which they were written or in the reverse order, and their
   * number. Fails with ReadBudgetExceeded if there are more than `budget`. Default: unlimited.
   * With `after`, returns the first records after this position, and the position of the last one.
   */
  readonly list: (
    partner: InScope<PartnerId>,
    query: PlanQuery,
    budget?: number
  ) => Effect.Effect<ListSlice<StoredPlan>, ReadBudgetExceeded>
  /**
   * Returns the partners from the root to a partner, each with its plan in force on a day (COMM-08). Deleted partners
   * keep their position. Returns none for an unknown partner.
   */
  readonly chain: (partner: PartnerId, on: CalendarDate) => Effect.Effect<ReadonlyArray<ChainLink>>
}>()("@lastro/domain/commission/CommissionPlans") {}
