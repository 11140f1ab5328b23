import { PgClient } from "@effect/sql-pg"
import { layerPostgres } from "@lastro/adapters-sql"
import { Context, Effect, Layer, Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import { randomBytes } from "node:crypto"
import { startPostgres } from "../../../test/postgresServer.ts"

/**
 * The URL of a superuser on a PostgreSQL server: `BENCH_DATABASE_URL`, or else that of a server that starts here and
 * stops when the scope closes.
 */
export const server = Effect.suspend(() => {
  const given = process.env["BENCH_DATABASE_URL"]
  return given !== undefined && given !== ""
    ? Effect.succeed(given)
    : Effect.map(
      Effect.acquireRelease(Effect.promise(startPostgres), ({ stop }) => Effect.promise(stop)),
      ({ url }) => url
    )
})

/** Opens a client of a database. Closes it when the scope closes. */
export const connect = (url: string) =>
  Effect.provide(PgClient.make({ url: Redacted.make(url), maxConnections: 2 }), Reactivity.layer)

/** Runs a statement on a new connection. The pool of a client would hang if its idle connection had been closed. */
const administer = (url: string, statement: string) =>
  Effect.scoped(Effect.flatMap(connect(url), (sql) => sql.unsafe(statement).unprepared))

/** Creates an empty database and returns its URL. Drops the database when the scope closes. */
export const freshDatabase = Effect.fn("freshDatabase")(function*(url: string) {
  const name = `bench_${randomBytes(6).toString("hex")}`
  yield* Effect.acquireRelease(
    administer(url, `create database ${name} template template0`),
    () => Effect.orDie(administer(url, `drop database ${name} with (force)`))
  )
  return new URL(`/${name}`, url).href
})

/** The URL of the database of a benchmark. */
export class DatabaseUrl extends Context.Service<DatabaseUrl, string>()("@lastro/bench/harness/database/DatabaseUrl") {}

/** Provides all database ports on a new, migrated PostgreSQL database. */
export const database = Layer.unwrap(
  Effect.map(
    Effect.flatMap(server, freshDatabase),
    (url) =>
      Layer.merge(
        // A slow statement is measured. It does not fail.
        layerPostgres({ url: Redacted.make(url), statementTimeout: "10 minutes" }),
        Layer.succeed(DatabaseUrl, url)
      )
  )
)
