import { type EventEntry, EventLog, type EventQuery, type EventType } from "@lastro/domain/event"
import { type PartnerDetail, type PartnerRepository } from "@lastro/domain/partner"
import { type PartnerTree, type UnitOfWork } from "@lastro/domain/ports"
import { assert } from "chai"
import { Effect, Fiber, Random } from "effect"
import { exampleInstant, freshId } from "../../builders/Fresh.ts"
import { storeForest } from "../../builders/storedRecords.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { moveIfAcyclic } from "../suite/storedRecords.ts"
import { atomically, holdOpen, inParallel, rollBack } from "../suite/transactions.ts"

const anEvent = Effect.fnUntraced(function*({ partner_id }: PartnerDetail, type: EventType = "partner.updated") {
  const entry: EventEntry = {
    event_id: yield* freshId,
    type,
    occurred_at: exampleInstant,
    partner_id,
    subject: { kind: "partner", id: partner_id, version: null },
    data: { partner_id, status: "active", amount: 12.5, count: 3, is_first: true, parent_id: null },
    request_id: "req-1",
    actor: { kind: "user", id: "u-1" }
  }
  return entry
})

const append = (...entries: ReadonlyArray<EventEntry>) => EventLog.use((log) => log.append(entries))

/** Stores an event of a partner in a unit of work of its own, and returns its id. */
const happen = Effect.fnUntraced(function*(partner: PartnerDetail, type?: EventType) {
  const entry = yield* anEvent(partner, type)
  yield* atomically(append(entry))
  return entry.event_id
})

const read = (partner: PartnerDetail, root: PartnerDetail, query: Partial<EventQuery> = {}) =>
  EventLog.use((log) => log.read(partner.partner_id, root.partner_id, { after: 0, limit: 100, ...query }))

const idsOf = (partner: PartnerDetail, root: PartnerDetail, query: Partial<EventQuery> = {}) =>
  Effect.map(read(partner, root, query), ({ events }) => events.map(({ event_id }) => event_id))

/** Reads the whole feed in parts. Returns the ids in the order in which they were read. */
const readAll = Effect.fnUntraced(function*(root: PartnerDetail, limit: number, from = 0) {
  const ids: Array<string> = []
  let after = from
  for (;;) {
    const { events, next } = yield* read(root, root, { after, limit })
    ids.push(...events.map(({ event_id }) => event_id))
    if (next === after) return { ids, next }
    after = next
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
    const others = [yield* happen(root), yield* happen(left)]
    assert.deepStrictEqual(yield* idsOf(root, root), [before, after, ...others])
    assert.deepStrictEqual(yield* idsOf(left, root), [before, others[1] as string])
    assert.deepStrictEqual(yield* idsOf(right, root), [after])
    assert.deepStrictEqual(yield* idsOf(moved, root), [before, after])
  })

  it("trees have feeds of their own", function*() {
    const [root, stranger] = yield* storeForest([null, null])
    const mine = yield* happen(root)
    yield* happen(stranger)
    assert.deepStrictEqual(yield* idsOf(root, root), [mine])
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
    const created = yield* happen(child, "partner.created")
    yield* happen(root, "partner.updated")
    const deleted = yield* happen(child, "partner.deleted")
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
    const writing = yield* Effect.forkChild(
      Effect.all(Array.from({ length: 8 }, () => writer), { concurrency: "unbounded" })
    )
    const reader = Effect.gen(function*() {
      const ids: Array<string> = []
      let after = 0
      let isOver = false
      while (!isOver) {
        isOver = writing.pollUnsafe() !== undefined
        const part = yield* readAll(root, 5, after)
        ids.push(...part.ids)
        after = part.next
        yield* Effect.sleep("1 millis")
      }
      return ids
    })
    const [one, other] = yield* inParallel([reader, reader])
    yield* Fiber.join(writing)
    assert.sameMembers(one, written)
    assert.strictEqual(new Set(one).size, written.length)
    assert.deepStrictEqual(other, one)
    assert.deepStrictEqual((yield* readAll(root, 1_000)).ids, one)
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
