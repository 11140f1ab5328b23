import {
  type DomainEvent,
  EventLog,
  EventsExpired,
  type SubscriptionKey,
  SubscriptionLost,
  SubscriptionStore
} from "@lastro/domain/event"
import { currentTraceparent, type PartnerId } from "@lastro/domain/values"
import { Clock, Effect, Latch, Layer, Option, Result } from "effect"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import { alter, type MemoryState, put, type StoredEvent, treeOf } from "./MemoryState.ts"

/** Returns the number of deleted events of a tree, the kept events with their sequences, and the last sequence. */
export const feedOf = ({ deletedEvents, events }: MemoryState, root: PartnerId) => {
  const deleted = deletedEvents.get(root) ?? 0
  const kept = events.filter(({ root_id }) => root_id === root)
    .map(({ above, entry }, index) => ({ above, event: { ...entry, sequence: deleted + index + 1 } as DomainEvent }))
  return { deleted, kept, last: deleted + kept.length }
}

/** Returns up to `limit` events before a time, all of the same tree. */
const oldEventsOfOneTree = ({ events }: MemoryState, before: string, limit: number): ReadonlyArray<StoredEvent> => {
  const roots = [...new Set(events.map(({ root_id }) => root_id))]
  for (const root of roots) {
    const ofRoot = events.filter(({ root_id }) => root_id === root)
    const firstKept = ofRoot.findIndex(({ entry }) => entry.occurred_at >= before)
    const old = ofRoot.slice(0, firstKept === -1 ? ofRoot.length : firstKept).slice(0, limit)
    if (old.length > 0) return old
  }
  return []
}

/** In-memory `EventLog`. Units of work run one at a time, so the order of the events is the order of the commits. */
export const layerEventLog = Layer.effect(
  EventLog,
  Effect.map(MemoryDatabase, ({ opensOnCommit, state, update }) =>
    EventLog.of({
      append: (entries) =>
        Effect.flatMap(currentTraceparent, (traceparent) =>
          update((now) => {
            const stored = entries.flatMap((entry): ReadonlyArray<StoredEvent> => {
              const above = treeOf(now).pathToRoot(entry.partner_id)
              const root_id = above.at(-1)
              return root_id === undefined ? [] : [{ entry, root_id, above, traceparent }]
            })
            return { ...now, events: [...now.events, ...stored] }
          })),
      read: (partner, root, { after, limit, subject_id, types }) =>
        Effect.flatMap(state, (now) => {
          const { deleted, kept, last } = feedOf(now, root)
          if (after !== undefined && after < deleted) return Effect.fail(new EventsExpired({ oldest: deleted }))
          const beginning = after ?? deleted
          const events = kept
            .filter(({ above, event: { sequence, subject, type } }) =>
              sequence > beginning && above.includes(partner) && (types === undefined || types.includes(type)) &&
              (subject_id === undefined || subject.id === subject_id)
            )
            .map(({ event }) => event)
            .slice(0, limit)
          const readTo = events.length === limit ? events.at(-1)?.sequence ?? beginning : last
          return Effect.succeed({ events, next: Math.max(beginning, readTo) })
        }),
      last: (root) => Effect.map(state, (now) => feedOf(now, root).last),
      arrival: (root, after) =>
        Effect.scoped(Effect.gen(function*() {
          const committed = Latch.makeUnsafe()
          yield* opensOnCommit(committed)
          while (feedOf(yield* state, root).last <= after) {
            yield* committed.await
            yield* committed.close
          }
        })),
      deleteBefore: (before, limit) =>
        Effect.gen(function*() {
          const old = oldEventsOfOneTree(yield* state, before, limit)
          const [first] = old
          if (first === undefined) return 0
          const { root_id } = first
          const deleted = new Set(old)
          yield* update((present) => ({
            ...put(present, "deletedEvents", root_id, (present.deletedEvents.get(root_id) ?? 0) + old.length),
            events: present.events.filter((event) => !deleted.has(event))
          }))
          return old.length
        })
    }))
)

const nameOf = ({ name, root_id }: SubscriptionKey): string => `${root_id}/${name}`

/** In-memory `SubscriptionStore`. */
export const layerSubscriptionStore = Layer.effect(
  SubscriptionStore,
  Effect.map(MemoryDatabase, ({ atomically, change, state, update }) =>
    SubscriptionStore.of({
      open: (key, cursor) =>
        Effect.gen(function*() {
          yield* update((now) =>
            now.subscriptions.has(nameOf(key))
              ? now
              : put(now, "subscriptions", nameOf(key), { cursor, holder: null, leased_until: 0 })
          )
          return (yield* state).subscriptions.get(nameOf(key))?.cursor ?? cursor
        }),
      lease: (key, holder, forMs) =>
        atomically(Effect.gen(function*() {
          const at = yield* Clock.currentTimeMillis
          const stored = (yield* state).subscriptions.get(nameOf(key))
          if (stored === undefined) return Option.none()
          const isFree = stored.holder === null || stored.holder === holder || stored.leased_until <= at
          if (!isFree) return Option.none()
          yield* update((now) =>
            put(now, "subscriptions", nameOf(key), { ...stored, holder, leased_until: at + forMs })
          )
          return Option.some(stored.cursor)
        })),
      move: (key, { from, holder, to }) =>
        change((now) => {
          const stored = now.subscriptions.get(nameOf(key))
          return stored?.holder === holder && stored.cursor === from
            ? Result.succeed(put(now, "subscriptions", nameOf(key), { ...stored, cursor: to }))
            : Result.fail(new SubscriptionLost())
        }),
      release: (key, holder) =>
        update((now) =>
          alter(now, "subscriptions", nameOf(key), (stored) =>
            stored.holder === holder ? { ...stored, holder: null } : stored)
        )
    }))
)
