import { PgClient } from "@effect/sql-pg"
import { assert, it } from "@effect/vitest"
import { principalRepositorySuite } from "@lastro/testkit/suites"
import { Effect, Layer, Redacted, String as Text } from "effect"
import { SqlClient } from "effect/sql"
import * as runner from "vitest"
import { checkInvariants, foldCounts, layer, layerStartOnly, migrate, readWorkStatus } from "../../src/index.ts"
import { freshDatabase } from "../postgres.ts"

/** The client of a host application that renames columns. */
const hostClient = Layer.unwrap(Effect.map(freshDatabase, (url) =>
  PgClient.layer({
    url: Redacted.make(url),
    transformQueryNames: Text.camelToSnake,
    transformResultNames: Text.snakeToCamel
  })))

const ports = Layer.mergeAll(layer, layerStartOnly).pipe(
  Layer.provide(Layer.effectDiscard(migrate)),
  Layer.provideMerge(hostClient)
)

principalRepositorySuite("PostgreSQL, with a client that renames columns", ports, runner)

it.layer(ports)("a client that renames columns", (test) => {
  test.effect("is not changed for the host, and shares its transaction with the ports", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql`select 1 as some_column`
      assert.deepStrictEqual(row, { someColumn: 1 })
      const open = sql`select pg_current_xact_id()::text as some_id`
      const [outer, inner] = yield* sql.withTransaction(Effect.all([
        open,
        Effect.map(sql.withoutTransforms()`select pg_current_xact_id()::text as some_id`, ([one]) => one?.["some_id"])
      ]))
      assert.strictEqual(outer[0]?.["someId"], inner)
    }))

  test.effect("does not disturb the background work and the checks", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* foldCounts, 0)
      assert.deepStrictEqual(yield* checkInvariants, [])
      assert.strictEqual((yield* readWorkStatus).oldest_due_seconds, null)
    }))
})
