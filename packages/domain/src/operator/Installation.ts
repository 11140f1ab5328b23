import { Context, type Effect } from "effect"

/** The state of the whole database. */
export class Installation extends Context.Service<Installation, {
  /**
   * Returns whether the database has no partner yet. In a transaction, it takes a lock until the transaction ends, and concurrent calls
   * wait. If two nodes start at the same time, only one of them therefore fills the empty database.
   */
  readonly isEmpty: Effect.Effect<boolean>
}>()("@lastro/domain/operator/Installation") {}
