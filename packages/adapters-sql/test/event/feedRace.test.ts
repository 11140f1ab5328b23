import { assert, it } from "@effect/vitest"
import { type EventEntry, EventLog } from "@lastro/domain/event"
import { UnitOfWork } from "@lastro/domain/ports"
import { currentTimestamp } from "@lastro/domain/values"
import { freshId, storeForest } from "@lastro/testkit"
import { Duration, Effect, Random, Ref } from "effect"
import { rounds } from "../../../../test/rounds.ts"
import { postgres } from "../databases.ts"

const writers = 32
const readers = 4

/** The number of transactions of each writer: 1 000 in the long form. */
const transactions = rounds * 5

/** The longest wait for an event, after which a reader fails: an event was missed. */
const patience = "30 seconds"

it.layer(postgres({ maxConnections: writers + readers }), { excludeTestServices: true, timeout: "1 minute" })(
  "the feed of events in a race",
  (it) => {
    it.effect(
      "EVENT-05 32 writers with random commit delays and 4 readers: nothing is missed and nothing repeated",
      () =>
        Effect.gen(function*() {
          const [root, child] = yield* storeForest([null, 0])
          const log = yield* EventLog
          const { atomically } = yield* UnitOfWork
          const committed: Array<string> = []
          const isOver = yield* Ref.make(false)

          const anEvent = Effect.gen(function*() {
            const { partner_id } = (yield* Random.nextBoolean) ? root : child
            const entry: EventEntry = {
              event_id: yield* freshId,
              type: "partner.updated",
              occurred_at: yield* currentTimestamp,
              partner_id,
              subject: { kind: "partner", id: partner_id, version: null },
              data: {},
              request_id: null,
              actor: { kind: "system", id: "lastro" }
            }
            return entry
          })
          /** Appends one to three events, waits and commits. Every tenth transaction rolls back. */
          const write = Effect.gen(function*() {
            const entries = yield* Effect.replicateEffect(anEvent, yield* Random.nextIntBetween(1, 4))
            const delay = yield* Random.nextIntBetween(0, 5)
            const rollsBack = (yield* Random.nextIntBetween(0, 10)) === 0
            yield* atomically(
              log.append(entries).pipe(
                Effect.andThen(Effect.sleep(delay)),
                Effect.andThen(rollsBack ? Effect.fail("rollback") : Effect.void)
              )
            )
            const ids = entries.map(({ event_id }) => event_id)
            yield* Effect.sync(() => committed.push(...ids))
          })
          const writer = Effect.replicateEffect(Effect.ignore(write), transactions, { discard: true })

          const reader = Effect.gen(function*() {
            const ids: Array<string> = []
            let after = 0
            for (;;) {
              const isLast = yield* Ref.get(isOver)
              const { events, next } = yield* log.read(root.partner_id, root.partner_id, { after, limit: 50 })
              for (const { event_id, sequence } of events) {
                assert.isAbove(sequence, after)
                after = sequence
                ids.push(event_id)
              }
              after = next
              if (events.length > 0) continue
              if (isLast) return ids
              const arrived = Effect.raceFirst(log.arrival(root.partner_id, after), awaitEnd)
              yield* Effect.timeout(arrived, patience)
            }
          })
          const awaitEnd: Effect.Effect<void> = Effect.flatMap(
            Ref.get(isOver),
            (over) =>
              over ? Effect.void : Effect.andThen(Effect.sleep(Duration.millis(20)), Effect.suspend(() => awaitEnd))
          )

          const writing = Effect.replicateEffect(writer, writers, { concurrency: "unbounded", discard: true })
          const reading = Effect.replicateEffect(reader, readers, { concurrency: "unbounded" })
          const [, read] = yield* Effect.all([Effect.andThen(writing, Ref.set(isOver, true)), reading], {
            concurrency: "unbounded"
          })
          const expected = committed
          const [one = [], ...others] = read
          assert.isAbove(expected.length, writers * transactions)
          assert.strictEqual(new Set(one).size, one.length)
          assert.deepStrictEqual(one.toSorted(), expected.toSorted())
          for (const other of others) assert.deepStrictEqual(other, one)
        }),
      20 * 60_000
    )
  }
)
