import { type DomainEvent, EventLog } from "@lastro/domain/event"
import { Effect, Layer } from "effect"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import { type StoredEvent, treeOf } from "./MemoryState.ts"

const eventOf = ({ entry }: StoredEvent, index: number): DomainEvent => ({ ...entry, sequence: index + 1 })

/** In-memory `EventLog`. Units of work are serialised, so the order of the events is the order of the commits. */
export const layerEventLog = Layer.effect(
  EventLog,
  Effect.map(MemoryDatabase, ({ state, update }) =>
    EventLog.of({
      append: (entries) =>
        update((now) => {
          const stored = entries.flatMap((entry): ReadonlyArray<StoredEvent> => {
            const above = treeOf(now).pathToRoot(entry.partner_id)
            const root_id = above.at(-1)
            return root_id === undefined ? [] : [{ entry, root_id, above }]
          })
          return { ...now, events: [...now.events, ...stored] }
        }),
      last: (root) => Effect.map(state, ({ events }) => events.filter(({ root_id }) => root_id === root).length),
      read: (partner, root, { after, limit, subject_id, types }) =>
        Effect.map(state, (now) => {
          const tree = now.events.filter(({ root_id }) => root_id === root)
          const events = tree.map((stored, index) => ({ above: stored.above, event: eventOf(stored, index) }))
            .filter(({ above, event: { sequence, subject, type } }) =>
              sequence > after && above.includes(partner) && (types === undefined || types.includes(type)) &&
              (subject_id === undefined || subject.id === subject_id)
            )
            .map(({ event }) => event)
            .slice(0, limit)
          const last = events.length === limit ? events.at(-1)?.sequence ?? after : tree.length
          return { events, next: Math.max(after, last) }
        })
    }))
)
