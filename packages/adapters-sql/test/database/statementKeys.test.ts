import { assert, describe, it } from "@effect/vitest"
import { Effect, Tracer } from "effect"
import { SqlClient } from "effect/sql"
import { isLean } from "../../src/database/postgres/LeanClient.ts"
import { precompileStatement } from "../../src/database/postgres/statements.ts"
import { PgDatabase } from "../../src/index.ts"
import { freshDatabase } from "../postgres.ts"

const text = "select pg_typeof($1)::text as type"

describe("the prepared statements of a connection", () => {
  it.live("are one for each text and types of its parameters, and a tracer gets a span for each execution", () =>
    Effect.gen(function*() {
      const spans: Array<Tracer.Span> = []
      const tracer = Tracer.make({
        span: (options) => {
          const span = new Tracer.NativeSpan(options)
          spans.push(span)
          return span
        }
      })
      const database = PgDatabase.layer({ url: yield* freshDatabase, maxConnections: 1 })
      yield* Effect.provide(
        Effect.gen(function*() {
          const sql = yield* SqlClient.SqlClient
          if (!isLean(sql)) return assert.fail("The client of PostgreSQL has additional functions")
          const typeOf = precompileStatement(
            sql,
            ["value"],
            ({ value }) => sql<{ readonly type: string }>`select pg_typeof(${value})::text as type`
          )
          const typesOf = Effect.forEach(
            [1, true, 2, false],
            (value) => Effect.map(typeOf({ value }), ([row]) => row?.type)
          )
          const types = ["integer", "boolean", "integer", "boolean"]
          assert.deepStrictEqual(yield* typesOf, types)
          assert.deepStrictEqual(yield* Effect.withTracer(typesOf, tracer), types)
          assert.strictEqual(spans.filter(({ name }) => name === "sql.execute").length, types.length)
          const prepared = yield* sql<{ readonly count: number }>`
            select count(*)::int as count from pg_prepared_statements where statement = ${text}`
          assert.deepStrictEqual(prepared, [{ count: 2 }])
        }),
        database
      )
    }).pipe(Effect.scoped))
})
