import { Option } from "effect"

/** A token bucket that refills at `rate` requests per second up to `burst` requests. `off`: no limit. */
export type RateLimit = { readonly rate: number; readonly burst: number } | "off"

/** The default rate limit per caller. */
export const defaultRateLimit: RateLimit = { rate: 50, burst: 100 }

/**
 * The default rate limit of token operations per client address. One core computes about 25 password hashes per second,
 * so one address uses less than half of a core in the long run.
 */
export const defaultTokenRateLimit: RateLimit = { rate: 10, burst: 50 }

/** Combines two limits: the lower rate with the lower burst. `off` counts as unlimited. */
export const lowerRateLimit = (a: RateLimit, b: RateLimit): RateLimit => {
  if (a === "off") return b
  if (b === "off") return a
  return { rate: Math.min(a.rate, b.rate), burst: Math.min(a.burst, b.burst) }
}

/** Parses a positive integer of at most six digits. Returns 0 for any other text. */
const parsePositive = (text: string | undefined): number =>
  text !== undefined && /^[1-9][0-9]{0,5}$/.test(text) ? Number(text) : 0

/** Parses `off`, or `RATE:BURST` with two positive integers of at most six digits. */
export const parseRateLimit = (text: string): Option.Option<RateLimit> => {
  if (text === "off") return Option.some("off")
  const [rate, burst, ...rest] = text.split(":")
  return rest.length === 0 && parsePositive(rate) > 0 && parsePositive(burst) > 0
    ? Option.some({ rate: parsePositive(rate), burst: parsePositive(burst) })
    : Option.none()
}
