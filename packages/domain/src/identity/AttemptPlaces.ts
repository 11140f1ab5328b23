import { Context, Deferred, Duration, Effect } from "effect"
import { type TakeTurn, turnRefused } from "../ports/FairQueue.ts"
import { type Busy } from "../ports/UnitOfWork.ts"

/** A sign-in that waits for a place, or holds one. */
interface Attempt {
  readonly turn: Deferred.Deferred<void, Busy>
  holds: boolean
}

/** The sign-ins of one key. */
interface Places {
  held: number
  /** The waiting sign-ins, the oldest first. */
  readonly waiting: Array<Attempt>
}

const perKey = { places: 2, waiting: 64 }

const maxWait = Duration.seconds(10)

/** Gives each free place to the newest waiting sign-in. */
const fill = (places: Places): void => {
  const next = places.held < perKey.places ? places.waiting.pop() : undefined
  if (next === undefined) return
  places.held += 1
  next.holds = true
  Deferred.doneUnsafe(next.turn, Effect.void)
  fill(places)
}

const join = (places: Places, attempt: Attempt): void => {
  places.waiting.push(attempt)
  fill(places)
  const oldest = places.waiting.length > perKey.waiting ? places.waiting.shift() : undefined
  if (oldest !== undefined) Deferred.doneUnsafe(oldest.turn, Effect.fail(turnRefused))
}

const leave = (places: Places, attempt: Attempt): void => {
  const index = places.waiting.indexOf(attempt)
  if (index >= 0) places.waiting.splice(index, 1)
  if (attempt.holds) places.held -= 1
  fill(places)
}

/** Makes the places of all keys. A place is held until its scope closes. */
const makeAttemptPlaces = (): TakeTurn => {
  const byKey = new Map<string, Places>()
  return ({ key }) =>
    Effect.suspend(() => {
      const attempt: Attempt = { turn: Deferred.makeUnsafe<void, Busy>(), holds: false }
      const enter = Effect.sync(() => {
        const places = byKey.get(key) ?? { held: 0, waiting: [] }
        byKey.set(key, places)
        join(places, attempt)
        return places
      })
      const exit = (places: Places) =>
        Effect.sync(() => {
          leave(places, attempt)
          if (places.held === 0 && places.waiting.length === 0) byKey.delete(key)
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
 * Sign-ins with one username behind one peer that is not a trusted proxy share two places on each node. A free place
 * goes to the newest sign-in that waits, because its client is the most likely one to be still there. The right secret
 * frees its place at once. A wrong one keeps it for the time by which AUTH-09 delays other sign-ins. After 25 failures,
 * this is 5 seconds, so that such a peer can try at most 24 secrets of a username per minute on a node. A sign-in is
 * refused as Busy, without a check of its secret, after a wait of 10 seconds, or if it is the oldest of more than 64
 * that wait. The key of an owner is the username and the peer.
 * @rule AUTH-29
 */
export const AttemptPlaces = Context.Reference<TakeTurn>("@lastro/domain/identity/AttemptPlaces", {
  defaultValue: makeAttemptPlaces
})
