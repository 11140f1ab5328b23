import { type Sent } from "../running/asking.ts"

/** The counts of requests since the last reset. */
export interface TrafficReport {
  readonly requests: number
  readonly succeeded: number
  readonly unavailable: number
  /**
   * Requests that were rejected with a conflict: most of them because the first one with the same idempotency key was
   * in progress.
   */
  readonly conflicts: number
  /** Requests to a process that was killed, frozen or stopped meanwhile. */
  readonly exempt: number
  /** The longest time of a response, in milliseconds, without the wait of a long poll. */
  readonly longestMs: number
  /** Requests that did not get a response in time, or a response that is wrong under any fault, with their number. */
  readonly violations: ReadonlyArray<string>
}

/** Records the requests of all customers and administrators. */
export interface Traffic {
  /** The number of requests since the start. */
  readonly requests: () => number
  /** Records a request. `status` is undefined if there was no response. */
  readonly record: (node: string, what: string, isExempt: boolean, ms: number, status: number | undefined) => void
  /** Returns the counts and starts again from zero. */
  readonly take: () => TrafficReport
}

/** Names a request by its method and path. Replaces ids by a placeholder, so that equal requests have equal names. */
export const requestName = (path: string, { json, method = json === undefined ? "GET" : "POST" }: Sent): string =>
  `${method} ${path.replace(/\?.*/, "").replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "{id}")}`

const empty = () => ({
  requests: 0,
  succeeded: 0,
  unavailable: 0,
  conflicts: 0,
  exempt: 0,
  longestMs: 0,
  violations: new Map<string, number>()
})

/** Makes an empty record. */
export const makeTraffic = (): Traffic => {
  let total = 0
  let counts = empty()
  return {
    requests: () => total,
    record: (node, what, isExempt, ms, status) => {
      total++
      counts.requests++
      if (status !== undefined && status < 400) counts.succeeded++
      if (status === 503) counts.unavailable++
      if (status === 409) counts.conflicts++
      if (isExempt) {
        counts.exempt++
        return
      }
      counts.longestMs = Math.max(counts.longestMs, ms)
      const isViolation = status === undefined || (status >= 500 && status !== 503)
      if (!isViolation) return
      const violation = status === undefined
        ? `no answer from ${node} ${ms > 10_000 ? "in time" : "(connection closed)"}: ${what}`
        : `${status}: ${what}`
      counts.violations.set(violation, (counts.violations.get(violation) ?? 0) + 1)
    },
    take: () => {
      const { violations, ...taken } = counts
      counts = empty()
      return { ...taken, violations: Array.from(violations, ([what, times]) => `${times} × ${what}`) }
    }
  }
}
