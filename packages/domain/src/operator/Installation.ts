import { Context, type Effect } from "effect"

/** The state of the whole database. */
export class Installation extends Context.Service<Installation, {
  /**
   * Returns whether there is no partner yet. In a transaction, other readers of it wait until the transaction ends, so that two
   * nodes that start at the same time fill an empty database once.
   */
  readonly isEmpty: Effect.Effect<boolean>
}>()("@lastro/domain/operator/Installation") {}
