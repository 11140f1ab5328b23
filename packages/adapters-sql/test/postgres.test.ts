import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { freshDatabase } from "./postgres.ts"

/** Runs a query on the database at `url`. */
const runQuery = (url: string, query: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe<{ readonly answer: unknown }>(query)).pipe(
    Effect.provide(PgClient.layer({ url: Redacted.make(url) }), { local: true })
  )

describe("freshDatabase", () => {
  it.effect("creates a separate empty database for each caller on PostgreSQL 15 or newer", () =>
    Effect.gen(function*() {
      const [one, other] = yield* Effect.all([freshDatabase, freshDatabase], { concurrency: 2 })
      yield* runQuery(one, "create table mark (id int)")
      assert.notStrictEqual(one, other)
      assert.deepStrictEqual(yield* runQuery(other, "select to_regclass('mark') as answer"), [{ answer: null }])
      const [version] = yield* runQuery(one, "select current_setting('server_version_num')::int as answer")
      assert.isAtLeast(Number(version?.answer), 150_000)
    }))

  it.effect("drops the database when the scope closes", () =>
    Effect.gen(function*() {
      const url = yield* freshDatabase
      const name = yield* Effect.scoped(Effect.map(freshDatabase, (inner) => new URL(inner).pathname.slice(1)))
      const left = yield* runQuery(url, `select count(*)::int as answer from pg_database where datname = '${name}'`)
      assert.deepStrictEqual(left, [{ answer: 0 }])
    }))
})
