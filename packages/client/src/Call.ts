import { type ErrorCodes } from "./types.ts"

/** Options of every call. */
export interface CallOptions {
  /** Cancels the call and its retries. The promise is rejected with the reason of the signal. */
  readonly signal?: AbortSignal | undefined
  /** Maximum time of the call with all retries, in milliseconds. Default: the setting of the client. */
  readonly timeout?: number | undefined
  /** Maximum number of attempts. Default: the setting of the client. */
  readonly attempts?: number | undefined
  /** The `X-Request-Id` of every attempt. Default: a new UUID. */
  readonly requestId?: string | undefined
}

/** Options of a call that reads a record. */
export interface ReadOptions<A> extends CallOptions {
  /** An earlier answer of the same call. If the record is unchanged, the call returns this very object. */
  readonly ifNoneMatch?: A | undefined
}

/** Options of a call that changes or deletes a record. */
export interface ChangeOptions extends CallOptions {
  /**
   * The answer that you have read, or its ETag. If the record has changed since, the call fails with
   * `PRECONDITION_FAILED`. Without it, a change is not repeated after a network error.
   */
  readonly ifMatch?: object | string | undefined
}

/** Options of a call that the API executes at most once for each key. */
export interface KeyedOptions extends CallOptions {
  /**
   * The `Idempotency-Key`. Default: a new UUID. Every retry of the call repeats the key. Pass your own key to repeat
   * the call after a restart of your program.
   */
  readonly idempotencyKey?: string | undefined
}

/** A call of an operation, before it is sent. */
export interface Call {
  readonly operation: keyof ErrorCodes
  readonly method: string
  readonly path: string
  readonly query?: object
  readonly body?: object | undefined
  /** The text of a CSV file that is the body of the call. */
  readonly file?: string
  /** True if the operation takes an `Idempotency-Key`. */
  readonly isKeyed?: boolean
  /** True if the operation takes no access token. */
  readonly isAnonymous?: boolean
  /** True if the answer is a CSV file, as a stream. */
  readonly isCsv?: boolean
  readonly options: ReadOptions<unknown> & ChangeOptions & KeyedOptions
}

/** Encodes an id for a path. Anything but a text becomes empty, which `checkPath` refuses. */
export const segment = (id: unknown): string => typeof id === "string" ? encodeURIComponent(id) : ""

/** Throws a `TypeError` if an id in a path would lead to another path. */
const checkPath = (path: string): void => {
  for (const part of path.slice(1).split("/")) {
    if (["", ".", ".."].includes(part)) throw new TypeError(`"${part}" is not an id. Pass the id of a record, a text.`)
  }
}

/**
 * Returns the URL of a call. A list becomes a repeated parameter, an object becomes `name[key]`. Throws a `TypeError` if
 * the base URL or an id is invalid.
 */
export const urlOf = (base: string, { path, query = {} }: Call): URL => {
  checkPath(path)
  const url = new URL(base.replace(/\/$/, "") + path)
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue
    if (Array.isArray(value)) { for (const item of value) url.searchParams.append(name, String(item)) }
    else if (typeof value === "object") {
      for (const [key, item] of Object.entries(value)) url.searchParams.append(`${name}[${key}]`, String(item))
    } else url.searchParams.append(name, String(value))
  }
  return url
}

/** Returns the time for which the server can delay its answer, in milliseconds: the `wait` of a long poll. */
export const heldFor = ({ query }: Call): number =>
  query !== undefined && "wait" in query ? 1_000 * (Number(query.wait) || 0) : 0
