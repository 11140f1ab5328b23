import { Effect } from "effect"

/** The place of one request in the admission. The work of the request holds a slot, except while it is paused. */
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
export const attachSlot = (source: object, slot: Slot): void => void Object.assign(source, { [attached]: slot })

/** Returns the slot of a request. Undefined if the request was not subject to admission. */
export const slotOf = (source: { readonly [attached]?: Slot }): Slot | undefined => source[attached]

/**
 * Sets the verified caller of a request at once. The first requests of a token are admitted by client address, so the request may have to
 * wait until its caller has fewer slots. The effect is that wait.
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
