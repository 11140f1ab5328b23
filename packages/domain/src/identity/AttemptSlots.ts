import { Context, Deferred, Duration, Effect } from "effect"
import { type TakeTurn, turnRefused } from "../ports/FairQueue.ts"
import { type Busy } from "../ports/UnitOfWork.ts"

/** A sign-in that waits for a slot or holds one. */
interface Attempt {
  readonly turn: Deferred.Deferred<void, Busy>
  holds: boolean
}

/** The sign-ins of one key. */
interface KeySlots {
  held: number
  /** The waiting sign-ins, oldest first. */
  readonly waiting: Array<Attempt>
}

const perKey = { slots: 2, waiting: 64 }

const maxWait = Duration.seconds(10)

/** Gives each free slot to the newest waiting sign-in. */
const fill = (slots: KeySlots): void => {
  while (slots.held < perKey.slots) {
    const newest = slots.waiting.pop()
    if (newest === undefined) return
    slots.held += 1
    newest.holds = true
    Deferred.doneUnsafe(newest.turn, Effect.void)
  }
}

const join = (slots: KeySlots, attempt: Attempt): void => {
  slots.waiting.push(attempt)
  fill(slots)
  const oldest = slots.waiting.length > perKey.waiting ? slots.waiting.shift() : undefined
  if (oldest !== undefined) Deferred.doneUnsafe(oldest.turn, Effect.fail(turnRefused))
}

const leave = (slots: KeySlots, attempt: Attempt): void => {
  const index = slots.waiting.indexOf(attempt)
  if (index >= 0) slots.waiting.splice(index, 1)
  if (attempt.holds) slots.held -= 1
  fill(slots)
}

/** Creates the slots of all keys. A sign-in holds its slot until its scope closes. */
const makeAttemptSlots = (): TakeTurn => {
  const byKey = new Map<string, KeySlots>()
  return ({ key }) =>
    Effect.suspend(() => {
      const attempt: Attempt = { turn: Deferred.makeUnsafe<void, Busy>(), holds: false }
      const enter = Effect.sync(() => {
        const slots = byKey.get(key) ?? { held: 0, waiting: [] }
        byKey.set(key, slots)
        join(slots, attempt)
        return slots
      })
      const exit = (slots: KeySlots) =>
        Effect.sync(() => {
          leave(slots, attempt)
          if (slots.held === 0 && slots.waiting.length === 0) byKey.delete(key)
        })
      return Effect.andThen(
        Effect.acquireRelease(enter, exit),
        Effect.timeoutOrElse(Deferred.await(attempt.turn), {
          duration: maxWait,
          orElse: () => Effect.fail(turnRefused)
        })
      )
    })
}

/**
 * Sign-ins with one username behind one peer that is not a trusted proxy share two slots on each node.
 *
 * - A free slot goes to the newest waiting sign-in, whose client is the most likely to be still connected.
 * - The right secret frees its slot at once. A wrong secret keeps its slot for the delay of AUTH-09. After 25 failures,
 *   the delay is 5 seconds. So one peer can try at most 24 secrets of a username per minute and node.
 * - A sign-in is refused as Busy after a wait of 10 seconds. If more than 64 wait, the oldest is refused as Busy. The
 *   secret of a refused sign-in is not checked.
 *
 * The key of an owner is the username and the peer.
 * @rule AUTH-29
 */
export const AttemptSlots = Context.Reference<TakeTurn>("@lastro/domain/identity/AttemptSlots", {
  defaultValue: makeAttemptSlots
})
