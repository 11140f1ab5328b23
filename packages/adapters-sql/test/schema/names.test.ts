import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Result } from "effect"
import { SqlClient } from "effect/sql"
import { createServer, type Server } from "node:net"
import { layerPglite, layerPostgres, PgDatabase, validateDatabaseUrl, validateSchemaName } from "../../src/index.ts"

const url = "postgres://joe:s3cret@127.0.0.1:1/db"

/** Starts Lastro and returns the message of the error. No server listens at the address. */
const startError = (layer: ReturnType<typeof layerPostgres> | ReturnType<typeof layerPglite>) =>
  Effect.map(Effect.flip(Effect.provide(SqlClient.SqlClient, layer, { local: true })), ({ message }) => message)

const invalid = [
  ["", "must not be empty"],
  ["x".repeat(64), "must have at most 63 bytes in UTF-8"],
  ["ã".repeat(32), "must have at most 63 bytes in UTF-8"],
  ["pg_lastro", "must not start with pg_, which PostgreSQL reserves"],
  ["information_schema", "must not be information_schema, which PostgreSQL reserves"],
  ["$user", "must not be $user, which PostgreSQL reserves"],
  ["a\0b", "must be text without NUL characters"]
] as const

describe("the name of a schema", () => {
  it.each(invalid)("is refused if it is invalid: %j", (name, problem) => {
    assert.strictEqual(Result.getOrThrow(Result.flip(validateSchemaName(name))).problem, problem)
    const inUrl = validateDatabaseUrl(`${url}?schema=${encodeURIComponent(name)}`)
    assert.strictEqual(
      Result.getOrThrow(Result.flip(inUrl)).problem,
      `must name a valid schema: its parameter schema ${problem}`
    )
  })

  it.each(["lastro", "Lastro", "my-schema", "a\"b", "x.y, z", "select", "PG_x", "ã".repeat(31), "x".repeat(63)])(
    "may have any other characters: %s",
    (name) => {
      assert.strictEqual(Result.getOrThrow(validateSchemaName(name)), name)
      const inUrl = validateDatabaseUrl(`${url}?schema=${encodeURIComponent(name)}`)
      assert.strictEqual(new URL(Redacted.value(Result.getOrThrow(inUrl))).searchParams.get("schema"), name)
    }
  )

  it.live("is set with a statement whose wait has an end", () =>
    Effect.gen(function*() {
      // A server that accepts every connection and then stays silent: AuthenticationOk, BackendKeyData, ReadyForQuery.
      const greeting = Buffer.from("5200000008000000004b0000000c00000001000000025a0000000549", "hex")
      const server = yield* Effect.acquireRelease(
        Effect.promise(() =>
          new Promise<Server>((resolve) => {
            const made = createServer((socket) => {
              socket.on("error", () => undefined)
              socket.once("data", () => socket.write(greeting))
            })
            made.listen(0, "127.0.0.1", () => resolve(made))
          })
        ),
        (made) => Effect.sync(() => made.close())
      )
      const address = server.address()
      assert(address !== null && typeof address === "object")
      const silent = PgDatabase.layer({
        url: `postgres://joe@127.0.0.1:${address.port}/db?schema=lastro`,
        statementTimeout: "1 millis"
      })
      const error = yield* Effect.flip(
        Effect.flatMap(SqlClient.SqlClient, (sql) => sql`select 1`).pipe(Effect.provide(silent, { local: true }))
      )
      assert.strictEqual(error.reason._tag, "ConnectionError")
    }))

  it.live("stops the start with a message that names the option", () =>
    Effect.gen(function*() {
      const message = "The option schema must not be empty."
      assert.strictEqual(yield* startError(layerPostgres({ url, schema: "" })), message)
      assert.strictEqual(yield* startError(layerPglite({ dataDir: "memory", schema: "" })), message)
      assert.strictEqual(
        yield* startError(layerPostgres({ url: `${url}?schema=one`, schema: "other" })),
        "The option schema must be the same as the parameter schema of the database URL."
      )
      assert.strictEqual(
        yield* startError(layerPostgres({ url: `${url}?schema=one&schema=one` })),
        "The database URL must name a valid schema: its parameter schema must be given once."
      )
    }))
})
