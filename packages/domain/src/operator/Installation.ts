import { Context, type Effect } from "effect"

/** Checks whether the database is still empty. */
export class Installation extends Context.Service<Installation, {
  /**
   * Returns whether the database has no partner yet. Inside a transaction, the call also takes a lock, and concurrent
   * calls wait until the transaction ends. If two nodes start at the same time, only one of them therefore fills the
   * empty database.
   */
  readonly isEmpty: Effect.Effect<boolean>
}>()("@lastro/domain/operator/Installation") {}
