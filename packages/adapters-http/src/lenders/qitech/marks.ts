import { Clock, Effect } from "effect"
import { numberAt, parse, textAt } from "./json.ts"
import { type QitechInbox } from "./QitechInbox.ts"

/**
 * The time in milliseconds within which QI Tech shows the effect of a call. A call without an answer can still be processed, and a read can
 * lag behind. Until then, an answer that shows no effect proves nothing.
 */
const settleMs = 5 * 60_000

/** The calls that are marked before they are sent: an issue by its requester identifier key, the others by the key of the debt. */
export type MarkedCall = "issue" | "cancel" | "refund"

/** A call whose effect may not show yet. */
export interface Mark {
  /** The time of the call, in milliseconds. */
  readonly at: number
  /** The time of the request that the call fulfils; null if there is none. */
  readonly requested_at: string | null
  /** True if QI Tech has accepted the call. */
  readonly is_accepted: boolean
}

const keyOf = (call: MarkedCall, key: string): string => `${call}:${key}`

/** Returns the mark of a call; null if there is none. */
export const findMark = (inbox: QitechInbox, call: MarkedCall, key: string): Effect.Effect<Mark | null> =>
  Effect.map(inbox.find(keyOf(call, key)), (text) => {
    const kept = text === null ? undefined : parse(text)
    const at = numberAt(kept, "at")
    return at === null
      ? null
      : { at, requested_at: textAt(kept, "requested_at"), is_accepted: textAt(kept, "outcome") === "accepted" }
  })

/** Keeps a mark; null removes it. */
export const keepMark = (inbox: QitechInbox, call: MarkedCall, key: string, mark: Mark | null): Effect.Effect<void> =>
  inbox.keep(
    keyOf(call, key),
    mark === null ? "{}" : JSON.stringify({
      at: mark.at,
      requested_at: mark.requested_at,
      outcome: mark.is_accepted ? "accepted" : "unknown"
    })
  )

/** Returns whether the effect of a call that was made at a time may not show yet. */
export const isUnsettled = (at: number): Effect.Effect<boolean> =>
  Effect.map(Clock.currentTimeMillis, (now) => now < at + settleMs)
