import { Context, Effect } from "effect"
import { Refusal } from "../input/Refusal.ts"

/** A list read that examines more records than this number is costly. Default: 8 000. */
export const CostlyAbove = Context.Reference<number>("@lastro/domain/paging/CostlyAbove", {
  defaultValue: () => 8_000
})

/**
 * Maximum number of records that a list read may examine. A repository refuses a read over the budget with
 * {@link exceedBudget} as early as possible. An index entry that is skipped without reading its record counts as a
 * fraction of a record. A repository never refuses a list whose scope has no more records than the budget. Default:
 * unlimited.
 */
export const ReadBudget = Context.Reference<number>("@lastro/domain/ports/ReadBudget", {
  defaultValue: () => Number.POSITIVE_INFINITY
})

/** A list read would examine more records than its budget. */
export class ReadBudgetExceeded
  extends Refusal("ReadBudgetExceeded", "The read would examine more records than its budget. Narrow its filters.")
{}

/**
 * Refuses a read that would exceed its budget. The refusal is a defect and not an error, because a read without a
 * budget cannot be refused.
 */
export const exceedBudget: Effect.Effect<never> = Effect.die(new ReadBudgetExceeded())

/**
 * A read is costly if it examines more than 8 000 records. Runs a read within this limit. Fails with ReadBudgetExceeded if the
 * read is costly.
 * @rule PAGE-26
 */
export const withinBudget = <A, E, R>(read: Effect.Effect<A, E, R>): Effect.Effect<A, E | ReadBudgetExceeded, R> =>
  Effect.flatMap(CostlyAbove, (limit) =>
    Effect.catchDefect(
      Effect.provideService(read, ReadBudget, limit),
      (defect) => defect instanceof ReadBudgetExceeded ? Effect.fail(defect) : Effect.die(defect)
    ))
