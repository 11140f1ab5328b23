import { Context, Data, type Effect } from "effect"

/** Others hold what is needed for longer than it makes sense to wait; trying again later may succeed. */
export class Busy extends Data.TaggedError("Busy")<{ readonly retry_after_seconds: number }> {}

/** Makes several writes one. */
export class UnitOfWork extends Context.Service<UnitOfWork, {
  /**
   * Runs an effect whose writes all happen or, when it fails, dies or is interrupted, none of them. An inner unit joins
   * the outer one; what it wrote is undone alone when it fails.
   */
  readonly atomically: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | Busy, R>
}>()("@lastro/domain/transaction/UnitOfWork") {}
