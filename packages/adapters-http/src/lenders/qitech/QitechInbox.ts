import { Effect } from "effect"

/**
 * Keeps the reasons of cancellations from verified callbacks, because no call of QI Tech returns them. It contains codes and times, and no
 * personal data. If an entry is missing, the adapter has the callback sent again. It also keeps the times of issues, cancellations
 * and requests for refunds, because their effects can appear late.
 */
export interface QitechInbox {
  /** Keeps a text under a key, instead of an earlier text. */
  readonly keep: (key: string, text: string) => Effect.Effect<void>
  /** Returns the text of a key; null if there is none. */
  readonly find: (key: string) => Effect.Effect<string | null>
}

/** The number of entries that the memory keeps. The oldest are dropped. */
const capacity = 10_000

/** Makes an inbox in the memory of this process. */
export const memoryInbox = (): QitechInbox => {
  const entries = new Map<string, string>()
  return {
    keep: (key, text) =>
      Effect.sync(() => {
        entries.delete(key)
        entries.set(key, text)
        const [oldest] = entries.keys()
        if (entries.size > capacity && oldest !== undefined) entries.delete(oldest)
      }),
    find: (key) => Effect.sync(() => entries.get(key) ?? null)
  }
}
