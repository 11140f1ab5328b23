import { Option } from "effect"

/** A token bucket: it refills with `rate` requests a second and holds at most `burst`; or no limit at all. */
export type RateLimit = { readonly rate: number; readonly burst: number } | "off"

/** What one caller may do, and what one address may ask of the token operations, unless somebody says otherwise. */
export const defaultRateLimit: RateLimit = { rate: 50, burst: 100 }

/** A positive integer of at most six digits; 0 for anything else. */
const positive = (text: string | undefined): number =>
  text !== undefined && /^[1-9][0-9]{0,5}$/.test(text) ? Number(text) : 0

/** Reads a limit as operators write it: `RATE:BURST`, two positive integers of at most six digits, or `off`. */
export const parseRateLimit = (text: string): Option.Option<RateLimit> => {
  if (text === "off") return Option.some("off")
  const [rate, burst, ...rest] = text.split(":")
  return rest.length === 0 && positive(rate) > 0 && positive(burst) > 0
    ? Option.some({ rate: positive(rate), burst: positive(burst) })
    : Option.none()
}
