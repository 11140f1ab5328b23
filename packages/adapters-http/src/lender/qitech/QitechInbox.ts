import { LruCache } from "@lastro/domain/values"
import { Effect } from "effect"

/**
 * Stores data that no call of QI Tech returns:
 *
 * - The reasons of cancellations, from verified callbacks. If a reason is missing, the adapter requests the callback again.
 * - The times at which the adapter issued, cancelled or refunded a debt, because the effects of these calls can appear
 *   late.
 *
 * The inbox contains codes and times, and no personal data.
 */
export interface QitechInbox {
  /** Stores a text under a key, and replaces an earlier text. */
  readonly keep: (key: string, text: string) => Effect.Effect<void>
  /** Returns the text of a key; null if there is none. */
  readonly find: (key: string) => Effect.Effect<string | null>
}

/** Maximum number of entries in memory. The least recently used entries are dropped. */
const capacity = 10_000

/** Makes an inbox in the memory of this process. */
export const memoryInbox = (): QitechInbox => {
  const entries = new LruCache<string, string>(capacity)
  return {
    keep: (key, text) => Effect.sync(() => entries.set(key, text)),
    find: (key) => Effect.sync(() => entries.get(key) ?? null)
  }
}
