import { type Timestamp, timestampOf } from "@lastro/domain/values"
import { at, listAt, numberAt, parse, textAt } from "./json.ts"

/**
 * The result of a balance request: the due date and amount of each period, or the code of a rejection (QI Tech's
 * `enumerator`).
 */
export type BalanceResult =
  | { readonly status: "success"; readonly periods: ReadonlyArray<unknown> }
  | { readonly status: "failed"; readonly enumerator: string }

/** The state of a quote that waits for the balance. */
export interface AwaitedBalance {
  readonly kind: "awaited"
  /** The key of the balance request. */
  readonly key: string
  /** The time of the balance request, in milliseconds. */
  readonly asked_at: number
  /** Number of polls so far without a result. */
  readonly looks: number
}

/** The state of a quote whose balance has arrived in a callback. */
export interface ReceivedBalance {
  readonly kind: "received"
  readonly key: string
  /** The time of the callback, in milliseconds. */
  readonly received_at: number
  readonly result: BalanceResult
}

/**
 * The state of a quote at QI Tech, stored as `lender_state`. It contains amounts, dates and codes, but no personal
 * data.
 */
export type QuoteState = AwaitedBalance | ReceivedBalance

/** Maximum number of periods in a state. Each year has one period. */
const maxPeriods = 100

const enumeratorShape = /^[a-z_]{1,64}$/

const storedPeriods = (periods: ReadonlyArray<unknown>): ReadonlyArray<readonly [string, number]> =>
  periods.flatMap((period) => {
    const due_date = textAt(period, "due_date")
    const amount = numberAt(period, "amount")
    return due_date === null || amount === null || !/^\d{4}-\d\d-\d\d$/.test(due_date)
      ? []
      : [[due_date, amount] as const]
  }).slice(0, maxPeriods)

/** Encodes a state as text of at most about 4 000 characters. */
export const encodeState = (state: QuoteState): string => {
  if (state.kind === "awaited") {
    const { asked_at, key, looks } = state
    return JSON.stringify({ v: 1, key, asked_at, looks })
  }
  const { key, received_at, result } = state
  return JSON.stringify({
    v: 1,
    key,
    received_at,
    ...(result.status === "success"
      ? { periods: storedPeriods(result.periods) }
      : { enumerator: enumeratorShape.test(result.enumerator) ? result.enumerator : "unreadable" })
  })
}

const resultOf = (value: unknown): BalanceResult => {
  const enumerator = textAt(value, "enumerator")
  if (enumerator !== null) return { status: "failed", enumerator }
  const periods = listAt(value, "periods").map((pair) => ({ due_date: at(pair, "0"), amount: at(pair, "1") }))
  return { status: "success", periods }
}

/** Decodes a state. Returns null if the text is not a state of this version: the balance is then requested again. */
export const decodeState = (text: string | null): QuoteState | null => {
  const value = text === null ? undefined : parse(text)
  const key = textAt(value, "key")
  if (numberAt(value, "v") !== 1 || key === null) return null
  const received_at = numberAt(value, "received_at")
  if (received_at !== null) return { kind: "received", key, received_at, result: resultOf(value) }
  const asked_at = numberAt(value, "asked_at")
  const looks = numberAt(value, "looks")
  return asked_at === null || looks === null ? null : { kind: "awaited", key, asked_at, looks }
}

const firstPauseMs = 30_000
const longestPauseMs = 15 * 60_000

/** Returns the time of the next poll: 30 s after the request, then after a pause that doubles up to 15 minutes. */
export const nextPoll = ({ looks }: AwaitedBalance, now: number): Timestamp =>
  timestampOf(now + Math.min(firstPauseMs * 2 ** Math.min(looks, 10), longestPauseMs))

/**
 * Returns when the balance is requested again after CAIXA could not return it. The pause is half the age of the quote,
 * but at least 30 s and at most 15 minutes.
 */
export const balanceRetryAt = ({ received_at }: ReceivedBalance, requested_at: number): number =>
  received_at + Math.min(Math.max((received_at - requested_at) / 2, firstPauseMs), longestPauseMs)
