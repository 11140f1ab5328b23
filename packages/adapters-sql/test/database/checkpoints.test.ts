import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { ConnectionQueue } from "../../src/database/pglite/ConnectionQueue.ts"
import { runCheckpoints } from "../../src/database/runCheckpoints.ts"
import { migratedPglite } from "../migratedCache.ts"

it.effect("a checkpoint of PGlite follows 64 MiB of WAL, and waits for a transaction", () =>
  Effect.gen(function*() {
    const session = yield* migratedPglite
    const lastCheckpoint = Effect.promise(async () => {
      const { rows } = await session.query<{ readonly lsn: string }>(
        "select checkpoint_lsn::text as lsn from pg_control_checkpoint()"
      )
      return rows[0]?.lsn
    })
    /** Advances the clock until the next poll, and waits for the promises of the poll. */
    const poll = Effect.andThen(TestClock.adjust("1 second"), Effect.promise(() => session.query("select 1")))
    let bytes = 0
    const queue = new ConnectionQueue(60_000)
    yield* Effect.forkScoped(runCheckpoints({ session, queue, walBytes: () => bytes }))
    const first = yield* lastCheckpoint
    bytes = 64 * 1024 * 1024 - 1
    yield* poll
    assert.strictEqual(yield* lastCheckpoint, first)
    const transaction = {}
    yield* Effect.promise(() => queue.acquire(transaction))
    bytes++
    yield* poll
    assert.strictEqual(yield* lastCheckpoint, first)
    queue.release(transaction)
    yield* poll
    const second = yield* lastCheckpoint
    assert.notStrictEqual(second, first)
    yield* poll
    assert.strictEqual(yield* lastCheckpoint, second)
  }))
