import { Context, type Effect } from "effect"
import { Refusal } from "../input/Refusal.ts"

/**
 * Nothing was changed, because a lock was not available in time or the database is temporarily unable to run the
 * transaction. Retry after `retry_after_seconds`.
 */
export class Busy
  extends Refusal("Busy", "The database is busy, and nothing was changed. Retry later.", ["retry_after_seconds"])<
    { readonly retry_after_seconds: number }
  >
{}

/** Runs several writes as one transaction. */
export class UnitOfWork extends Context.Service<UnitOfWork, {
  /**
   * Runs an effect in a transaction. Commits if the effect succeeds, and rolls back if the effect fails, dies or is
   * interrupted. A nested call joins the outer transaction. If a nested call fails, only its own writes are rolled
   * back. The transaction belongs to the context of the effect: an effect that another fiber runs with this context
   * joins it.
   */
  readonly atomically: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | Busy, R>
  /**
   * True if the effect runs inside a unit of work, or inside a transaction that the code of a host has begun on the
   * same store. A use case then neither calls the lender nor waits for a change, because the transaction would keep its
   * locks meanwhile.
   */
  readonly isOpen: Effect.Effect<boolean>
}>()("@lastro/domain/ports/UnitOfWork") {}
