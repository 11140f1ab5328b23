import { Context, type Effect } from "effect"
import { type Work } from "./Work.ts"

/** Tells of the durable work in memory. */
export class PendingWork extends Context.Service<PendingWork, {
  /** What was started and has not ended, in the order in which it was started. */
  readonly pending: Effect.Effect<ReadonlyArray<Work>>
  /**
   * Comes back once no work is pending any more, that which was started meanwhile included. Where nothing runs by itself, this
   * does the work, one after the other.
   */
  readonly finish: Effect.Effect<void>
}>()("@lastro/testkit/memory/PendingWork") {}
