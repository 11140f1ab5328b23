import { type Effect } from "effect"

/** What may be told about a call, beside what it asks for. */
export interface CallOptions {
  /**
   * Names the request this call belongs to, in the audit and the logs: 1 to 128 characters of `[A-Za-z0-9._-]` that are nobody's
   * document. What is none is as if it was not given.
   */
  readonly request_id?: string | undefined
  /** The IP address of who asks: failed sign-ins are counted by it. */
  readonly client_address?: string | undefined
  /**
   * Ends the call when it is aborted, and rejects its promise with the reason. All of the call is undone, or, where it was just being
   * committed, all of it is kept: under the same `idempotency_key` it can be asked for again.
   */
  readonly signal?: Effect.RunOptions["signal"]
}

/** Options of a call that makes something, which may be made twice. */
export interface CreateOptions extends CallOptions {
  /**
   * 1 to 255 visible ASCII characters. The same call again, under the same key and within 24 hours, is given the first answer again;
   * another call under the same key is IdempotencyKeyReused.
   */
  readonly idempotency_key?: string | undefined
}

/** Options of a call that changes a record `A`. */
export interface ChangeOptions<A> extends CallOptions {
  /** The record as it was read: the change is PreconditionFailed where it is another by now. */
  readonly based_on?: A | undefined
}
