import { assert, it } from "@effect/vitest"
import { EventLog } from "@lastro/domain/event"
import { storeForest } from "@lastro/testkit"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { postgres } from "../databases.ts"

/** More events than two reads number. */
const count = 25_000

it.layer(postgres(), { excludeTestServices: true, timeout: "1 minute" })("a long feed that nobody has read", (it) => {
  it.effect(
    "EVENT-05 two readers read each event once, in the order of the commits, without a gap",
    () =>
      Effect.gen(function*() {
        const [root] = yield* storeForest([null])
        const { partner_id } = root
        const log = yield* EventLog
        const sql = yield* SqlClient.SqlClient
        yield* sql`
        insert into event (
          id, root_id, type, occurred_at, partner_id, above_ids, subject_kind, subject_id, data, actor_kind, actor_id
        )
        select gen_random_uuid(), ${partner_id}, 'partner.updated', now(), ${partner_id}, array[${partner_id}::uuid],
          'partner', n::text, '{}', 'system', 'lastro'
        from generate_series(1, ${count}) n`
        const reader = Effect.gen(function*() {
          const read: Array<readonly [sequence: number, subject: string]> = []
          for (let after = 0;;) {
            const { events, next } = yield* log.read(partner_id, partner_id, { after, limit: 1_000 })
            read.push(...events.map(({ sequence, subject }) => [sequence, subject.id] as const))
            if (next === after) return read
            after = next
          }
        })
        const expected = Array.from({ length: count }, (_, index) => [index + 1, String(index + 1)] as const)
        for (const read of yield* Effect.all([reader, reader], { concurrency: 2 })) {
          assert.deepStrictEqual(read, expected)
        }
        assert.strictEqual(yield* log.last(partner_id), count)
      }),
    60_000
  )
})
