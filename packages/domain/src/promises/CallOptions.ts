import { type Effect } from "effect"

/** Options of every call. */
export interface CallOptions {
  /**
   * The id of the request that this call belongs to, for the audit log and the logs: 1 to 128 characters of
   * `[A-Za-z0-9._-]`, not a CPF or CNPJ. Any other value is ignored.
   */
  readonly request_id?: string | undefined
  /** The caller's IP address. Failed sign-ins are counted separately for each address. */
  readonly client_address?: string | undefined
  /**
   * Aborts the call, and rejects its promise with the abort reason. The call is rolled back completely, unless its
   * commit had already started. To find out, repeat the call with the same `idempotency_key`.
   */
  readonly signal?: Effect.RunOptions["signal"]
}

/** Options of a command. */
export interface CreateOptions extends CallOptions {
  /**
   * The idempotency key: 1 to 255 visible ASCII characters. Within 24 hours, the same command with the same key returns
   * the first answer again. A different command with the same key fails with IdempotencyKeyReused.
   */
  readonly idempotency_key?: string | undefined
}

/** Options of a call that changes a record of the type `A`. */
export interface ChangeOptions<A> extends CallOptions {
  /** The record as you last read it. If it has changed since, the call fails with PreconditionFailed. */
  readonly based_on?: A | undefined
}

/** Options of a long poll for a status of the type `A`. */
export interface PollOptions<A> extends CallOptions {
  /** The maximum time to wait for a change, in seconds: 0 to 30. Default: 0. */
  readonly wait?: number | undefined
  /** The status that you last read. The call waits only while the current status equals it. */
  readonly known?: A | undefined
}
