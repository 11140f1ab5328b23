import { Context, type Effect, type Option } from "effect"
import { type PartnerId } from "../id/PartnerId.ts"
import { type Timestamp } from "../time/Timestamp.ts"

/** Whose key it is: keys of different callers never meet. */
export interface IdempotencySlot {
  /** The caller's `sub`. */
  readonly subject: string
  readonly key: string
}

/** The first answer that was given under a key. */
export interface StoredAnswer {
  /** Tells one request from another: method, path and body. */
  readonly fingerprint: string
  /** The partner whose hierarchy is checked again before a replay, should the record itself be deleted by then. */
  readonly partner_id: PartnerId
  /** The answer, as JSON text. */
  readonly answer: string
  readonly stored_at: Timestamp
}

/**
 * Where first answers are kept. Only a hash of the key is stored, and the answer sealed with a key derived from it, so
 * that the store alone gives nothing away.
 */
export class IdempotencyStore extends Context.Service<IdempotencyStore, {
  /** Takes the slot until the transaction ends; false while another transaction has it. */
  readonly claim: (slot: IdempotencySlot) => Effect.Effect<boolean>
  /** The answer stored under a key at or after `since`. */
  readonly find: (slot: IdempotencySlot, since: Timestamp) => Effect.Effect<Option.Option<StoredAnswer>>
  /** Stores an answer in the transaction of the effect itself; replaces one that was stored too long ago. */
  readonly save: (slot: IdempotencySlot, answer: StoredAnswer) => Effect.Effect<void>
}>()("@lastro/domain/idempotency/IdempotencyStore") {}
