import { LruCache } from "@lastro/domain/values"
import { Clock, Effect } from "effect"
import { numberAt, parse, textAt } from "./json.ts"

/**
 * Stores data that no call of QI Tech returns:
 * - The reasons of cancellations, from verified callbacks. If a reason is missing, the adapter requests the callback
 *   again.
 * - The times at which the adapter issued, cancelled or refunded a debt, because these calls can take effect late.
 *
 * The inbox contains codes and times, but no personal data.
 */
export interface QitechInbox {
  /** Stores a text under a key. Replaces an earlier text. */
  readonly keep: (key: string, text: string) => Effect.Effect<void>
  /** Returns the text of a key. Null if there is none. */
  readonly find: (key: string) => Effect.Effect<string | null>
}

/** Maximum number of entries in memory. The least recently used ones are dropped. */
const capacity = 10_000

/** Makes an inbox in the memory of this process. */
export const memoryInbox = (): QitechInbox => {
  const entries = new LruCache<string, string>(capacity)
  return {
    keep: (key, text) => Effect.sync(() => entries.set(key, text)),
    find: (key) => Effect.sync(() => entries.get(key) ?? null)
  }
}

/**
 * Maximum time in milliseconds until a call to QI Tech takes visible effect. QI Tech may still process a call whose
 * response was lost, and a read may return old data. So a read before that time does not prove that the call failed.
 */
const settleMs = 5 * 60_000

/**
 * The calls whose time is stored before they are sent. The key of an issue is the requester identifier key. The key of
 * a cancellation or a refund is that of the debt.
 */
export type MarkedCall = "issue" | "cancel" | "refund"

/** A call that was sent and may not have taken visible effect yet. */
export interface Mark {
  /** The time of the call, in milliseconds. */
  readonly at: number
  /** The time of the customer's request that led to the call. Null if there is none. */
  readonly requested_at: string | null
  /** True if QI Tech has accepted the call. */
  readonly is_accepted: boolean
}

const keyOf = (call: MarkedCall, key: string): string => `${call}:${key}`

/** Returns the stored mark of a call. Null if there is none. */
export const findMark = (inbox: QitechInbox, call: MarkedCall, key: string): Effect.Effect<Mark | null> =>
  Effect.map(inbox.find(keyOf(call, key)), (text) => {
    const mark = text === null ? undefined : parse(text)
    const at = numberAt(mark, "at")
    return at === null
      ? null
      : { at, requested_at: textAt(mark, "requested_at"), is_accepted: textAt(mark, "outcome") === "accepted" }
  })

/** Stores a mark. Null removes it. */
export const keepMark = (inbox: QitechInbox, call: MarkedCall, key: string, mark: Mark | null): Effect.Effect<void> =>
  inbox.keep(
    keyOf(call, key),
    mark === null ? "{}" : JSON.stringify({
      at: mark.at,
      requested_at: mark.requested_at,
      outcome: mark.is_accepted ? "accepted" : "unknown"
    })
  )

/** Returns whether the effect of a call at the time `at` may still be invisible. */
export const isUnsettled = (at: number): Effect.Effect<boolean> =>
  Effect.map(Clock.currentTimeMillis, (now) => now < at + settleMs)
