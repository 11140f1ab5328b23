import { assert, it } from "@effect/vitest"
import { EventLog } from "@lastro/domain/event"
import { type PartnerId } from "@lastro/domain/values"
import { storeForest } from "@lastro/testkit"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { postgres } from "../databases.ts"

/** More events than two reads number. */
const count = 25_000

/** Inserts events of a root in this order. Each has a subject of its own. */
const insertEvents = (root: PartnerId, subjects: ReadonlyArray<string>) =>
  SqlClient.SqlClient.use((sql) =>
    sql`
      insert into event (
        id, root_id, type, occurred_at, partner_id, above_ids, subject_kind, subject_id, data, actor_kind, actor_id
      )
      select gen_random_uuid(), ${root}, 'partner.updated', now(), ${root}, array[${root}::uuid], 'partner', subject, '{}',
        'system', 'lastro'
      from unnest(${subjects}::text[]) with ordinality as named (subject, place) order by place`
  )

const numbered = (name: string, length: number): ReadonlyArray<string> =>
  Array.from({ length }, (_, index) => `${name} ${index + 1}`)

/** Reads the feed of a root from a sequence on. Returns the sequence and the subject of each event. */
const readFrom = Effect.fnUntraced(function*(root: PartnerId, from: number) {
  const log = yield* EventLog
  const read: Array<readonly [sequence: number, subject: string]> = []
  for (let after = from;;) {
    const { events, next } = yield* log.read(root, root, { after, limit: 1_000 })
    read.push(...events.map(({ sequence, subject }) => [sequence, subject.id] as const))
    if (next === after) return read
    after = next
  }
})

it.layer(postgres(), { excludeTestServices: true, timeout: "1 minute" })("a long feed that nobody has read", (it) => {
  it.effect(
    "EVENT-05 two readers read each event once, in the order of the commits, without a gap",
    () =>
      Effect.gen(function*() {
        const [root] = yield* storeForest([null])
        const { partner_id } = root
        yield* insertEvents(partner_id, numbered("event", count))
        const reader = readFrom(partner_id, 0)
        const expected = Array.from({ length: count }, (_, index) => [index + 1, `event ${index + 1}`] as const)
        for (const read of yield* Effect.all([reader, reader], { concurrency: 2 })) {
          assert.deepStrictEqual(read, expected)
        }
        assert.strictEqual(yield* EventLog.use((log) => log.last(partner_id)), count)
      }),
    60_000
  )

  it.effect(
    "EVENT-05 events of a transaction that commits late, between two full pieces of numbering, keep their order and are read once",
    () =>
      Effect.gen(function*() {
        const [root] = yield* storeForest([null])
        const { partner_id } = root
        const sql = yield* SqlClient.SqlClient
        const [early, middle, recent] = [
          numbered("early", 6_000),
          numbered("middle", 6_000),
          numbered("recent", 12_000)
        ]
        // The late transaction inserts one event for each of the first three steps, and commits after the last one.
        const steps = yield* Effect.replicateEffect(Effect.all([Deferred.make<void>(), Deferred.make<void>()]), 4)
        const late = yield* Effect.forkChild(sql.withTransaction(Effect.forEach(steps, ([begin, end], index) =>
          Effect.gen(function*() {
            yield* Deferred.await(begin)
            if (index < 3) yield* insertEvents(partner_id, [`late ${index + 1}`])
            yield* Deferred.succeed(end, undefined)
          }), { discard: true })))
        const runStep = Effect.fnUntraced(function*(index: number) {
          const [begin, end] = steps[index] ?? (yield* Effect.die("no such step"))
          yield* Deferred.succeed(begin, undefined)
          yield* Deferred.await(end)
        })
        yield* runStep(0)
        yield* insertEvents(partner_id, early)
        yield* runStep(1)
        yield* insertEvents(partner_id, middle)
        yield* runStep(2)
        yield* insertEvents(partner_id, recent)
        // This read gives sequences to the first full piece.
        const log = yield* EventLog
        const { events, next } = yield* log.read(partner_id, partner_id, { after: 0, limit: 1 })
        assert.deepStrictEqual([
          events.map(({ subject }) =>
            subject.id
          ),
          next
        ], [["early 1"], 1])
        assert.deepStrictEqual(yield* sql`select sequence::int from event_head where root_id = ${partner_id}`, [
          { sequence: 10_000 }
        ])
        yield* runStep(3)
        yield* Fiber.join(late)
        const order = [
          ...early.slice(1),
          ...middle.slice(0, 4_000),
          "late 1",
          "late 2",
          ...middle.slice(4_000),
          "late 3",
          ...recent
        ]
        assert.deepStrictEqual(
          yield* readFrom(partner_id, next),
          order.map((subject, index) => [index + 2, subject] as const)
        )
      }),
    60_000
  )
})
