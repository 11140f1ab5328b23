import { Context, type Effect, type Option } from "effect"
import { type PartnerId } from "../id/ids.ts"
import { type Timestamp } from "../time/Timestamp.ts"

/** Identifies an idempotency key. Each caller has keys of its own. */
export interface IdempotencySlot {
  /** The caller's `sub`. */
  readonly subject: string
  readonly key: string
}

/** The first answer to a request with an idempotency key. */
export interface StoredAnswer {
  /** A digest of method, path and body: the same request has the same fingerprint. */
  readonly fingerprint: string
  /** The partner that is checked against the caller's hierarchy before a replay if the record itself was deleted. */
  readonly partner_id: PartnerId
  /** The answer, as JSON text. */
  readonly answer: string
  readonly stored_at: Timestamp
}

/**
 * Stores first answers. Adapters store a hash of the key, and encrypt the answer with a key derived from it: without the idempotency
 * key a stored answer cannot be read.
 */
export class IdempotencyStore extends Context.Service<IdempotencyStore, {
  /** Locks the slot until the transaction ends. Returns false while another transaction holds it. */
  readonly claim: (slot: IdempotencySlot) => Effect.Effect<boolean>
  /** Returns the answer stored under a key at or after `since`. */
  readonly find: (slot: IdempotencySlot, since: Timestamp) => Effect.Effect<Option.Option<StoredAnswer>>
  /** Stores an answer in the transaction of the request. Replaces an expired answer. */
  readonly save: (slot: IdempotencySlot, answer: StoredAnswer) => Effect.Effect<void>
}>()("@lastro/domain/idempotency/IdempotencyStore") {}
