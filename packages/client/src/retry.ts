import { type Call } from "./Call.ts"
import { type LastroError } from "./LastroError.ts"

/** The maximum delay before the first retry, in milliseconds. */
const firstDelay = 250

/** The maximum delay before any retry, in milliseconds. */
const longestDelay = 8_000

/** Returns whether the server may have executed the attempt that failed with this error. */
export const isOutcomeUnknown = ({ code, status }: LastroError): boolean =>
  status === 0 || code === "OUTCOME_UNKNOWN" ||
  (code === "UNEXPECTED_RESPONSE" && [200, 201, 202, 408, 502, 503, 504].includes(status))

/**
 * Returns whether several attempts have the same effect as one. This holds for a read, a deletion, a call with an
 * idempotency key or a precondition, and the token operations.
 */
const isRepeatable = ({ isKeyed, method, options, operation }: Call): boolean =>
  isKeyed === true || method === "GET" || method === "DELETE" || options.ifMatch !== undefined ||
  operation === "issueToken" || operation === "revokeToken"

/**
 * Returns whether to send a call again after this error: the server did not execute the attempt, or the outcome is
 * unknown and a repetition is safe.
 */
export const isRetryable = (call: Call, error: LastroError): boolean =>
  error.status === 429 || error.code === "SERVICE_UNAVAILABLE" || error.code === "IDEMPOTENCY_IN_FLIGHT" ||
  error.code === "temporarily_unavailable" || (isOutcomeUnknown(error) && isRepeatable(call))

/**
 * Returns the delay before the next attempt in milliseconds: the time that the server stated, plus a random part of an
 * exponential backoff ("full jitter"). `random` is between 0 and 1.
 */
export const retryDelay = (attempt: number, retry_after: number | null, random: number): number =>
  1_000 * (retry_after ?? 0) + random * Math.min(longestDelay, firstDelay * 2 ** (attempt - 1))

/** Resolves after a time, or rejects with the reason of the signal. */
export const sleep = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop)
      resolve()
    }, milliseconds)
    if (signal?.aborted === true) stop()
    else signal?.addEventListener("abort", stop, { once: true })
  })

/** Returns the result of a promise that several callers share, or rejects with the reason of this caller's signal. */
export const withSignal = <A>(promise: Promise<A>, signal: AbortSignal | undefined): Promise<A> => {
  if (signal === undefined) return promise
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener("abort", stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop))
  })
}
