import { Context, Data, type Effect, type Option } from "effect"
import { type PartnerId } from "../values/ids.ts"

/** Identifies a subscription. The same name in another tree is another subscription. */
export interface SubscriptionKey {
  readonly root_id: PartnerId
  readonly name: string
}

/** The move of a cursor from one sequence to a later one. */
export interface CursorMove {
  /** The process that holds the lease. */
  readonly holder: string
  readonly from: number
  readonly to: number
}

/** Another process handles the events of the subscription, or has moved its cursor. */
export class SubscriptionLost extends Data.TaggedError("SubscriptionLost") {}

/** Stores how far the events of each subscription were handled, and which process handles them. */
export class SubscriptionStore extends Context.Service<SubscriptionStore, {
  /**
   * Stores a subscription with this cursor, unless it is stored already. Returns the stored cursor. Does not wait for a
   * transaction that moves the cursor.
   */
  readonly open: (key: SubscriptionKey, cursor: number) => Effect.Effect<number>
  /**
   * Leases a subscription to a holder for a number of milliseconds, and returns its cursor. Returns none if the lease
   * of another holder has not expired, or if another transaction is moving the cursor. A holder renews its own lease.
   */
  readonly lease: (key: SubscriptionKey, holder: string, forMs: number) => Effect.Effect<Option.Option<number>>
  /**
   * Moves the cursor, in the surrounding transaction if there is one. Fails with {@link SubscriptionLost} and changes
   * nothing if the subscription is leased to another holder, or if its cursor is not `from`. Another move waits until
   * the transaction ends.
   */
  readonly move: (key: SubscriptionKey, move: CursorMove) => Effect.Effect<void, SubscriptionLost>
  /** Ends the lease of a holder, so that another process can continue at once. Ignores a lease of another holder. */
  readonly release: (key: SubscriptionKey, holder: string) => Effect.Effect<void>
}>()("@lastro/domain/event/SubscriptionStore") {}
