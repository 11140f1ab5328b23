import { Effect } from "effect"

/**
 * The right of one request to run. A request waits for its slot. It releases the slot while it is paused, and at its
 * end.
 */
export interface Slot {
  /** The time for which the request waited for its slot, in milliseconds. */
  readonly waited: number
  /** Hands the slot over to the work of the request, which releases it at its end. */
  readonly claim: () => void
  /** Returns whether the work of the request is responsible for the slot. */
  readonly isClaimed: () => boolean
  /** Releases the slot for good, or leaves the queue. Further calls have no effect. */
  readonly release: () => void
  /** Releases the slot until `resume`. */
  readonly pause: () => void
  /** Waits for a slot. Calls `onAdmitted` when the request has one again. */
  readonly resume: (onAdmitted: () => void) => void
  /** Sets the verified caller of the request. Returns whether the caller now has more slots than allowed. */
  readonly identify: (caller: string) => boolean
}

/**
 * The property of a request object that contains its slot. A `WeakMap` is unsuitable: a minor garbage collection of V8
 * keeps all of its values. A slot refers to its request, so all requests since the last major collection would stay in
 * memory.
 */
const attached = Symbol("slot")

/** Stores the slot of a request in the request object of its platform. */
export const attachSlot = (source: object, slot: Slot): void => {
  const holder: { [attached]?: Slot } = source
  holder[attached] = slot
}

/** Returns the slot of a request. Undefined if the request needed none. */
export const slotOf = (source: { readonly [attached]?: Slot }): Slot | undefined => source[attached]

/**
 * Assigns a request to its verified caller. Until its token is verified, a request is assigned to its client address.
 * If the caller now has more slots than allowed, the returned effect waits until it has fewer.
 */
export const identifyCaller = (slot: Slot | undefined, caller: string): Effect.Effect<void> =>
  slot?.identify(caller) === true ? whilePaused(slot, Effect.void) : Effect.void

/** Runs an effect that only waits, such as a long poll. Releases the slot during the wait, and after a failure. */
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
