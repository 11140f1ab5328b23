/** Maximum delay that is accepted from a `Retry-After` header: one day. */
const longestDelayMs = 24 * 60 * 60_000

const bound = (milliseconds: number): number => Math.min(Math.max(milliseconds, 0), longestDelayMs)

/**
 * Parses a `Retry-After` header (RFC 9110 §10.2.3): a number of seconds, or an HTTP date. Returns the delay from `now`
 * in milliseconds, at least 0 and at most one day. Undefined if the header is absent or invalid.
 */
export const parseRetryAfter = (header: string | undefined, now: number): number | undefined => {
  const text = header?.trim() ?? ""
  if (/^\d{1,10}$/.test(text)) return bound(Number(text) * 1_000)
  // In all three formats, an HTTP date begins with the name of a weekday.
  if (!/^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return undefined
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : bound(at - now)
}
