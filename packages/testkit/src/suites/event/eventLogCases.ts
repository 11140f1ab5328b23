import { type EventEntry, EventLog, type EventQuery } from "@lastro/domain/event"
import { type PartnerDetail, type PartnerRepository } from "@lastro/domain/partner"
import { type PartnerTree, type UnitOfWork } from "@lastro/domain/ports"
import { type Timestamp } from "@lastro/domain/values"
import { assert } from "chai"
import { Effect, Fiber, Random } from "effect"
import { storeForest } from "../../builders/storedRecords.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { moveIfAcyclic } from "../suite/storedRecords.ts"
import { atomically, holdOpen, inParallel, repeatInParallel, rollBack } from "../suite/transactions.ts"
import { anEvent, storeEvents } from "./storedEvents.ts"

const append = (...entries: ReadonlyArray<EventEntry>) => EventLog.use((log) => log.append(entries))

/** Stores an event of a partner in a unit of work, and returns its id. */
const happen = (partner: PartnerDetail, fields?: Partial<EventEntry>) =>
  Effect.map(storeEvents(partner, 1, fields), ([id = ""]) => id)

const read = (partner: PartnerDetail, root: PartnerDetail, query: Partial<EventQuery> = {}) =>
  EventLog.use((log) => log.read(partner.partner_id, root.partner_id, { after: 0, limit: 100, ...query }))

const idsOf = (partner: PartnerDetail, root: PartnerDetail, query: Partial<EventQuery> = {}) =>
  Effect.map(read(partner, root, query), ({ events }) => events.map(({ event_id }) => event_id))

/** Reads the feed after a cursor, up to `limit` events at a time. Returns the ids in order, and the next cursor. */
const readAll = Effect.fnUntraced(function*(root: PartnerDetail, limit: number, cursor = 0) {
  const ids: Array<string> = []
  let after = cursor
  for (;;) {
    const { events, next } = yield* read(root, root, { after, limit })
    ids.push(...events.map(({ event_id }) => event_id))
    if (next === after) return { ids, next }
    after = next
  }
})

/** The time of old events. Only the cases of `deleteBefore` use it, so they delete no event of another case. */
const longAgo = "2001-01-01T00:00:00.000Z" as Timestamp

/** The time before which the cases of `deleteBefore` delete events. */
const cutoff = "2001-06-01T00:00:00.000Z" as Timestamp

/** Deletes old events, up to `limit` at a time, until none is left. Returns the number of events of each deletion. */
const deleteAll = Effect.fnUntraced(function*(limit: number) {
  const pieces: Array<number> = []
  for (;;) {
    const count = yield* EventLog.use((log) => log.deleteBefore(cutoff, limit))
    if (count === 0) return pieces
    pieces.push(count)
  }
})

/** Contract cases for EventLog. */
export const eventLogCases: ContractCases<EventLog | PartnerRepository | PartnerTree | UnitOfWork> = (
  it,
  { units }
) => {
  it("an event is read as it was appended, with a sequence", function*() {
    const [root] = yield* storeForest([null])
    const entry = yield* anEvent(root)
    yield* atomically(append(entry))
    const { events, next } = yield* read(root, root)
    const [event] = events
    assert.deepStrictEqual(events, [{ ...entry, sequence: event?.sequence ?? 0 }])
    assert.strictEqual(next, event?.sequence)
  })

  it("EVENT-05 `read` returns the events of the partner and below it, as of the time when they happened", function*() {
    const [root, left, right, moved] = yield* storeForest([null, 0, 0, 1])
    const before = yield* happen(moved)
    yield* moveIfAcyclic(root, moved, right)
    const after = yield* happen(moved)
    const ofRoot = yield* happen(root)
    const ofLeft = yield* happen(left)
    assert.deepStrictEqual(yield* idsOf(root, root), [before, after, ofRoot, ofLeft])
    assert.deepStrictEqual(yield* idsOf(left, root), [before, ofLeft])
    assert.deepStrictEqual(yield* idsOf(right, root), [after])
    assert.deepStrictEqual(yield* idsOf(moved, root), [before, after])
  })

  it("trees have feeds of their own", function*() {
    const [root, stranger] = yield* storeForest([null, null])
    const id = yield* happen(root)
    yield* happen(stranger)
    assert.deepStrictEqual(yield* idsOf(root, root), [id])
    assert.deepStrictEqual(yield* idsOf(root, stranger), [])
  })

  it("events of one unit of work keep their order, and those of a rolled-back one do not exist", function*() {
    const [root] = yield* storeForest([null])
    const entries = [yield* anEvent(root), yield* anEvent(root), yield* anEvent(root)]
    yield* rollBack(append(yield* anEvent(root)))
    yield* atomically(Effect.forEach(entries, (entry) => append(entry)))
    assert.deepStrictEqual(yield* idsOf(root, root), entries.map(({ event_id }) => event_id))
  })

  it("`last` returns the sequence of the newest committed event of the tree, and 0 without one", function*() {
    const [root, child, stranger] = yield* storeForest([null, 0, null])
    const last = EventLog.use((log) => log.last(root.partner_id))
    assert.strictEqual(yield* last, 0)
    yield* happen(child)
    yield* rollBack(append(yield* anEvent(root)))
    yield* happen(stranger)
    const sequence = yield* last
    assert.strictEqual((yield* read(root, root)).events.at(-1)?.sequence, sequence)
    const next = yield* happen(root)
    assert.deepStrictEqual(yield* idsOf(root, root, { after: sequence }), [next])
    assert.isAbove(yield* last, sequence)
  })

  it("`types`, `subject_id` and `limit` select; `next` passes over what does not match", function*() {
    const [root, child] = yield* storeForest([null, 0])
    const created = yield* happen(child, { type: "partner.created" })
    yield* happen(root, { type: "partner.updated" })
    const deleted = yield* happen(child, { type: "partner.deleted" })
    assert.deepStrictEqual(yield* idsOf(root, root, { types: ["partner.created", "partner.deleted"] }), [
      created,
      deleted
    ])
    assert.deepStrictEqual(yield* idsOf(root, root, { subject_id: child.partner_id }), [created, deleted])
    const { events: [first], next } = yield* read(root, root, { subject_id: child.partner_id, limit: 1 })
    assert.deepStrictEqual([first?.event_id, first?.sequence], [created, next])
    const none = yield* read(root, root, { types: ["user.created"] })
    assert.deepStrictEqual(none.events, [])
    assert.strictEqual((yield* read(root, root, { after: none.next })).next, none.next)
    assert.deepStrictEqual(yield* idsOf(root, root, { after: none.next }), [])
    assert.strictEqual((yield* read(root, root, { after: none.next + 7 })).next, none.next + 7)
  })

  it("EVENT-06 `deleteBefore` deletes the old events at the beginning of a feed, in pieces", function*() {
    const [root, other] = yield* storeForest([null, null])
    for (const at of [longAgo, longAgo, longAgo, cutoff, longAgo]) yield* happen(root, { occurred_at: at })
    const kept = yield* happen(other)
    assert.deepStrictEqual(yield* deleteAll(2), [2, 1])
    const { events, next } = yield* read(root, root, { after: 3 })
    assert.deepStrictEqual(events.map(({ sequence }) => sequence), [4, 5])
    assert.strictEqual(next, 5)
    assert.deepStrictEqual(yield* idsOf(other, other), [kept])
  })

  it("`read` fails with EventsExpired after an event that was deleted, and without `after` begins with the oldest", function*() {
    const [root] = yield* storeForest([null])
    for (const at of [longAgo, longAgo]) yield* happen(root, { occurred_at: at })
    const before = yield* read(root, root)
    assert.strictEqual(before.next, 2)
    yield* deleteAll(10)
    const oldest = EventLog.use((log) => log.read(root.partner_id, root.partner_id, { limit: 10 }))
    assert.deepStrictEqual(yield* oldest, { events: [], next: 2 })
    const expired = yield* Effect.flip(read(root, root, { after: 1 }))
    assert.deepStrictEqual([expired._tag, expired.oldest], ["EventsExpired", 2])
    const next = yield* happen(root)
    const { events } = yield* oldest
    assert.deepStrictEqual(events.map(({ event_id, sequence }) => [event_id, sequence]), [[next, 3]])
    assert.deepStrictEqual(yield* idsOf(root, root, { after: 2 }), [next])
  })

  it("old events that nobody has read are deleted, too", function*() {
    const [root] = yield* storeForest([null])
    for (const at of [longAgo, longAgo]) yield* happen(root, { occurred_at: at })
    assert.deepStrictEqual(yield* deleteAll(10), [2])
    assert.strictEqual(yield* EventLog.use((log) => log.last(root.partner_id)), 2)
  })

  it("`arrival` completes at once if there is an event, otherwise after a commit", function*() {
    const [root] = yield* storeForest([null])
    const arrival = (after: number) => EventLog.use((log) => log.arrival(root.partner_id, after))
    const waiting = yield* Effect.forkChild(arrival(0))
    yield* happen(root)
    yield* Fiber.join(waiting)
    yield* arrival(0)
    const { next } = yield* read(root, root)
    const nextArrival = yield* Effect.forkChild(arrival(next))
    yield* happen(root)
    yield* Fiber.join(nextArrival)
  })

  it("concurrent writers and readers: every reader reads every event once, in the same order", function*() {
    const [root, child] = yield* storeForest([null, 0])
    const written: Array<string> = []
    const writer = Effect.gen(function*() {
      for (let round = 0; round < 6; round++) {
        const entry = yield* anEvent(round % 2 === 0 ? root : child)
        yield* atomically(Effect.andThen(
          append(entry),
          Effect.sleep(units === "serialised" ? 0 : yield* Random.nextIntBetween(0, 4))
        ))
        written.push(entry.event_id)
      }
    })
    const writing = yield* Effect.forkChild(repeatInParallel(8, writer))
    const reader = Effect.gen(function*() {
      const ids: Array<string> = []
      let after = 0
      for (;;) {
        const hasEnded = writing.pollUnsafe() !== undefined
        const part = yield* readAll(root, 5, after)
        ids.push(...part.ids)
        if (hasEnded) return ids
        after = part.next
        yield* Effect.sleep("1 millis")
      }
    })
    const [first, second] = yield* inParallel([reader, reader])
    yield* Fiber.join(writing)
    assert.sameMembers(first, written)
    assert.strictEqual(new Set(first).size, written.length)
    assert.deepStrictEqual(second, first)
    assert.deepStrictEqual((yield* readAll(root, 1_000)).ids, first)
  })

  if (units === "serialised") return

  it("an event that commits late is read after those that were already read", function*() {
    const [root] = yield* storeForest([null])
    const late = yield* anEvent(root)
    const slow = yield* holdOpen(append(late))
    const fast = yield* happen(root)
    const { events, next } = yield* read(root, root)
    assert.deepStrictEqual(events.map(({ event_id }) => event_id), [fast])
    yield* slow.release
    assert.deepStrictEqual(yield* idsOf(root, root, { after: next }), [late.event_id])
  })
}
