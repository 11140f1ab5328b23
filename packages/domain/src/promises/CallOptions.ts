import { type Effect } from "effect"

/** What may be told about a call, beside what it asks for. */
export interface CallOptions {
  /** Names the request this call belongs to, in the audit and the logs. */
  readonly request_id?: string | undefined
  /** The network address of who asks: failed sign-ins are counted by it. */
  readonly client_address?: string | undefined
  /** Ends the call when it is aborted: nothing of it is kept, and its promise is rejected with the reason. */
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

/** Filters, sorting and paging of a list by their names on the wire: `{ size: 5, sort: "name,desc", name: "são" }`. */
export type Query = Readonly<Record<string, QueryValue | ReadonlyArray<QueryValue> | null | undefined>>

type QueryValue = string | number | boolean
