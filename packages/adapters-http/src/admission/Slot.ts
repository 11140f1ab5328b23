import { Effect } from "effect"

/**
 * The right of one request to run. The number of slots is limited, so the request first waits for its slot. It releases
 * the slot while it is paused, and when it ends.
 */
export interface Slot {
  /** The time that the request waited for its slot, in milliseconds. */
  readonly waited: number
  /** Marks the slot as held by the work of the request. That work releases the slot when it ends. */
  readonly claim: () => void
  /** Returns whether the work of the request holds the slot. */
  readonly isClaimed: () => boolean
  /** Releases the slot for good, or leaves the queue. Further calls have no effect. */
  readonly release: () => void
  /** Releases the slot until `resume`. */
  readonly pause: () => void
  /** Waits for a slot, and calls `onAdmitted` when the request has one again. */
  readonly resume: (onAdmitted: () => void) => void
  /** Sets the verified caller of the request. Returns whether the caller now has more slots than its share. */
  readonly identify: (caller: string) => boolean
}

/**
 * The property of a request object that holds its slot. It is not a `WeakMap`: a minor garbage collection of V8 keeps
 * every value of a `WeakMap` alive. A slot refers to its request, so all requests since the last major collection would
 * stay in memory.
 */
const attached = Symbol("slot")

/** Attaches the slot of a request to the request object of its platform. */
export const attachSlot = (source: object, slot: Slot): void => {
  const holder: { [attached]?: Slot } = source
  holder[attached] = slot
}

/** Returns the slot of a request. Undefined if the request was not subject to admission. */
export const slotOf = (source: { readonly [attached]?: Slot }): Slot | undefined => source[attached]

/**
 * Counts a request for its verified caller from now on. Before its token is verified, a request counts for its client
 * address. If the caller now has more slots than its share, the returned effect waits until the caller has fewer.
 */
export const identifyCaller = (slot: Slot | undefined, caller: string): Effect.Effect<void> =>
  slot?.identify(caller) === true ? whilePaused(slot, Effect.void) : Effect.void

/** Runs an effect that only waits, such as a long poll. Releases the slot for that time. */
export const whilePaused = <A, E, R>(
  slot: Slot | undefined,
  waiting: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> => {
  if (slot === undefined) return waiting
  const resumed = Effect.callback<void>((resume) => {
    slot.resume(() => resume(Effect.void))
    return Effect.sync(() => slot.release())
  })
  return Effect.suspend(() => {
    slot.pause()
    return Effect.flatMap(waiting, (result) => Effect.as(resumed, result))
  })
}
