import { assert, it } from "@effect/vitest"
import { LoginAttempts } from "@lastro/domain/identity"
import { UnitOfWork } from "@lastro/domain/ports"
import { type Timestamp, timestampOf } from "@lastro/domain/values"
import { freshId } from "@lastro/testkit"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { pglite, postgres } from "../databases.ts"

const at = "2026-01-31T12:00:00.000Z" as Timestamp

for (const [name, layer] of [["PostgreSQL", postgres({ maxConnections: 2 })], ["PGlite", pglite()]] as const) {
  it.layer(layer, { excludeTestServices: true, timeout: "1 minute" })(`LoginAttempts on ${name}`, (it) => {
    it.effect("failures recorded inside rolled-back transactions are kept, even with few connections", () =>
      Effect.gen(function*() {
        const attempts = yield* LoginAttempts
        const unit = yield* UnitOfWork
        const username = yield* freshId
        const failing = unit.atomically(Effect.gen(function*() {
          yield* attempts.record({ username, ip: "192.0.2.1", at })
          yield* Effect.yieldNow
          return yield* Effect.die("rolled back")
        }))
        yield* Effect.all(Array.from({ length: 6 }, () => Effect.exit(failing)), { concurrency: "unbounded" })
        assert.strictEqual((yield* attempts.failures(username, "192.0.2.1", at)).length, 6)
      }))

    it.effect("the table contains no username, of any content and length", () =>
      Effect.gen(function*() {
        const attempts = yield* LoginAttempts
        const sql = yield* SqlClient.SqlClient
        const username = `a password typed into the wrong field ${"x".repeat(100_000)}`
        yield* attempts.record({ username, ip: "192.0.2.9", at })
        assert.strictEqual((yield* attempts.failures(username, "192.0.2.9", at)).length, 1)
        const rows = yield* sql<{ readonly content: string }>`
          select encode(username_hash, 'escape') || ' ' || failed_login::text as content from failed_login
          where ip = '192.0.2.9'`
        assert.isTrue(rows.every(({ content }) => !content.includes("password")))
      }))

    it.effect("record deletes expired failures, at most 10 at a time", () =>
      Effect.gen(function*() {
        const attempts = yield* LoginAttempts
        const sql = yield* SqlClient.SqlClient
        const [old, username] = [yield* freshId, yield* freshId]
        yield* sql`delete from failed_login`
        yield* Effect.forEach(Array.from({ length: 12 }), () => attempts.record({ username: old, ip: "192.0.2.1", at }))
        yield* attempts.record({ username, ip: "192.0.2.1", at: timestampOf(Date.parse(at) + 31 * 60_000) })
        assert.strictEqual((yield* attempts.failures(old, "192.0.2.1", at)).length, 2)
      }))
  })
}
