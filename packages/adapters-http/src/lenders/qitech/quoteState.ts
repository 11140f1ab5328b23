import { type Timestamp, timestampOf } from "@lastro/domain/time"
import { numberAt, parse, textAt } from "./json.ts"

/** The state of a quote at QI Tech, which the port stores as `lender_state`. */
export interface QuoteState {
  /** The key of the balance request. */
  readonly key: string
  /** The attempt of the quote that made the balance request. */
  readonly attempt: number
  /** The time of the balance request, in milliseconds. */
  readonly asked_at: number
  /** The number of looks that found no result. */
  readonly looks: number
}

/** Encodes a state as text. */
export const encodeState = (state: QuoteState): string => JSON.stringify({ v: 1, ...state })

/** Decodes a state. Returns null if the text is not a state of this version: the balance is then requested again. */
export const decodeState = (text: string | null): QuoteState | null => {
  const value = text === null ? undefined : parse(text)
  const key = textAt(value, "key")
  const attempt = numberAt(value, "attempt")
  const asked_at = numberAt(value, "asked_at")
  const looks = numberAt(value, "looks")
  return numberAt(value, "v") !== 1 || key === null || attempt === null || asked_at === null || looks === null
    ? null
    : { key, attempt, asked_at, looks }
}

const firstLookMs = 30_000
const longestLookMs = 15 * 60_000

/** Returns the time of the next look: 30 s after the request, then after a pause that doubles up to 15 minutes. */
export const nextLook = ({ looks }: QuoteState, now: number): Timestamp =>
  timestampOf(now + Math.min(firstLookMs * 2 ** Math.min(looks, 10), longestLookMs))
