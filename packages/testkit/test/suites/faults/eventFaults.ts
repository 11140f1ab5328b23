import { EventLog, SubscriptionStore } from "@lastro/domain/event"
import { eventLogSuite, subscriptionStoreSuite } from "@lastro/testkit/suites"
import { type Context, Effect, Option, Ref } from "effect"
import { type Fault, faultOf } from "./Fault.ts"

type Store = Context.Service.Shape<typeof SubscriptionStore>

const store = faultOf("SubscriptionStore", SubscriptionStore, subscriptionStoreSuite)
const log = faultOf("EventLog", EventLog, eventLogSuite)

/** Keeps the cursors outside of the database, so that a move is not part of the transaction. */
const movesAtOnce = (sound: Store) => {
  const cursors = Ref.makeUnsafe<ReadonlyMap<string, number>>(new Map())
  const nameOf = ({ name, root_id }: Parameters<Store["lease"]>[0]) => `${root_id}/${name}`
  return {
    lease: (key, holder, forMs) =>
      Effect.zipWith(
        sound.lease(key, holder, forMs),
        Ref.get(cursors),
        (leased, moved) => Option.map(leased, (cursor) => moved.get(nameOf(key)) ?? cursor)
      ),
    move: (key, { to }) => Ref.update(cursors, (moved) => new Map(moved).set(nameOf(key), to))
  } satisfies Partial<Store>
}

/** Broken adapters of the feed and of subscriptions. */
export const eventFaults: ReadonlyArray<Fault> = [
  store(
    "the cursor moves before the transaction commits",
    /whose transaction rolls back is handled again/,
    movesAtOnce
  ),
  store("two holders have the lease at once", /one holder at a time has the lease/, (sound) => ({
    lease: (key, holder, forMs) =>
      Effect.andThen(sound.lease(key, holder, forMs), Effect.map(sound.open(key, 0), Option.some))
  })),
  store(
    "a lease never ends",
    /another holder gets the lease after its end/,
    (sound) => ({ lease: (key, holder) => sound.lease(key, holder, 3_600_000) })
  ),
  store("the cursor moves past the last event", /in order up to the last one/, (sound) => ({
    move: (key, move) => sound.move(key, { ...move, to: move.to === 4 ? 5 : move.to })
  })),
  store("another holder can move the cursor", /changes nothing for another holder/, (sound) => ({
    move: (key, move) =>
      Effect.andThen(
        Effect.ignore(sound.lease(key, move.holder, 60_000)),
        Effect.flatMap(
          sound.lease(key, move.holder, 60_000),
          (leased) => Option.isSome(leased) ? sound.move(key, move) : Effect.void
        )
      )
  })),
  store(
    "a second `open` resets the cursor",
    /`open` stores a cursor once/,
    (sound) => ({ open: (key, cursor) => Effect.as(sound.open(key, cursor), cursor) })
  ),
  log("a reader does not notice that events were deleted", /fails with EventsExpired/, (sound) => ({
    read: (partner, root, query) =>
      Effect.catchTag(
        sound.read(partner, root, query),
        "EventsExpired",
        ({ oldest }) => sound.read(partner, root, { ...query, after: oldest })
      )
  })),
  log("a whole tree is deleted with its old events", /deletes the old events at the beginning/, (sound) => ({
    deleteBefore: (_, limit) => sound.deleteBefore("2001-12-31T00:00:00.000Z" as never, limit)
  })),
  log("a commit does not end a wait", /`arrival` completes/, () => ({ arrival: () => Effect.never }))
]
