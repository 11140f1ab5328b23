import { Context, type Effect } from "effect"

/** The database as a whole. */
export class Installation extends Context.Service<Installation, {
  /**
   * Whether there is no partner at all yet. Inside a transaction, everybody else who asks waits until it ends, so that
   * two nodes that start at once fill an empty database once.
   */
  readonly isEmpty: Effect.Effect<boolean>
}>()("@lastro/domain/installation/Installation") {}
