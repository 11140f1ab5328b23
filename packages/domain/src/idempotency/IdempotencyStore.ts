import { Context, type Effect, type Option } from "effect"
import { type PartnerId } from "../values/ids.ts"
import { type Timestamp } from "../values/Timestamp.ts"

/** An idempotency key and the caller who sent it. Each caller has its own slot for the same key. */
export interface IdempotencySlot {
  /** The subject of the caller. */
  readonly subject: string
  readonly key: string
}

/** The first response to a request with an idempotency key. */
export interface StoredAnswer {
  /** A digest of the method, the path and the body. Identical requests have the same fingerprint. */
  readonly fingerprint: string
  /**
   * The partner of the record. If the record was deleted, a replay checks that this partner is in the caller's subtree.
   */
  readonly partner_id: PartnerId
  /** The id of the record in the response. When its personal data is erased, this response is deleted. */
  readonly record_id: string
  /** The response, as JSON text. */
  readonly answer: string
  readonly stored_at: Timestamp
}

/**
 * Stores the first response for each idempotency key. If a transaction starts a `find` after a `claim`, the `claim`
 * takes effect first, even if it has not ended. Adapters store a hash of the idempotency key. They encrypt the response
 * with a key derived from the idempotency key, so that nobody can read the response without the idempotency key.
 */
export class IdempotencyStore extends Context.Service<IdempotencyStore, {
  /** Locks the slot until the transaction ends. Returns false if another transaction holds the lock. */
  readonly claim: (slot: IdempotencySlot) => Effect.Effect<boolean>
  /** Returns the response that was stored for the slot at or after `since`. */
  readonly find: (slot: IdempotencySlot, since: Timestamp) => Effect.Effect<Option.Option<StoredAnswer>>
  /** Stores a response in the transaction of the request. Replaces an expired response. */
  readonly save: (slot: IdempotencySlot, answer: StoredAnswer) => Effect.Effect<void>
}>()("@lastro/domain/idempotency/IdempotencyStore") {}
