import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Result } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { inspect } from "node:util"
import { inject } from "vitest"
import { layerPostgres, validateDatabaseUrl } from "../../src/index.ts"

/** Renders an error in every way in which it may be logged. */
const renderError = (error: unknown): string =>
  [
    inspect(error, { depth: null, showHidden: true }),
    String(error),
    error instanceof Error ? error.stack : "",
    JSON.stringify(error)
  ].join("\n")

/** Starts Lastro on a URL and returns the error. */
const startError = (url: string | Redacted.Redacted) =>
  Effect.promise(() =>
    Effect.runPromise(Effect.provide(Effect.asVoid(SqlClient.SqlClient), layerPostgres({ url }), { local: true })).then(
      () => assert.fail("started"),
      (error: unknown) => error
    )
  )

const unencoded =
  "must be percent-encoded: the user, the password, the database or a parameter contains an unencoded #, /, ? or @"
const notPostgres = "must be a PostgreSQL URL such as postgres://user:password@host:5432/database"
const invalidPercent = "must be percent-encoded: it contains an invalid % sequence; write a literal % as %25"
const invalidHost = "must have a valid host and port"

describe("a database URL", () => {
  it.live.each(
    [
      ["postgres://joe:s3cret#pw@h:5432/db", unencoded],
      ["postgres://joe:s3cret/pw@h:5432/db", unencoded],
      ["postgres://joe:s3cret?pw@h:5432/db", unencoded],
      // Node accepts the next four, with the host joe or s3cret.
      ["postgres://joe:1234/s3cret@h:5432/db", unencoded],
      ["postgres://joe:1234?s3cret@h:5432/db", unencoded],
      ["postgres://joe:#s3cret@h:5432/db", unencoded],
      ["postgres://joe:pw@s3cret/pw@h:5432/db", unencoded],
      ["postgres://joe:100%s3cret@h:5432/db", invalidPercent],
      ["postgres://joe:s3cret@h:5432/d%b", invalidPercent],
      ["postgres://joe:s3cret@h:99999/db", invalidHost],
      ["postgres://joe:s3cret@a b/db", invalidHost],
      ["postgres://joe:s3cret@/db", invalidHost],
      ["postgres://joe:s3cret", invalidHost],
      ["mysql://joe:s3cret@h/db", notPostgres],
      ["joe:s3cret@h/db", notPostgres],
      ["", notPostgres]
    ] as const
  )(
    "refuses an invalid URL before it is used, and the error contains no part of it: %s",
    ([url, problem]) =>
      Effect.gen(function*() {
        const judged = validateDatabaseUrl(url)
        assert(Result.isFailure(judged))
        assert.strictEqual(judged.failure.problem, problem)
        for (const input of [url, Redacted.make<string>(url)]) {
          const error = yield* startError(input)
          assert(SqlError.isSqlError(error))
          assert.strictEqual(error.message, `The database URL ${problem}.`)
          assert.isFalse(error.isRetryable)
          assert.notMatch(renderError(error), /s3cret|joe|1234/)
        }
      })
  )

  it.each([
    "postgres://joe:s3cret%23%2F%3F%40%25pw@h:5432/db",
    "postgres://joe:s3cr@t!$&'()*+,;=:~^|<>[]{}\\`\"@h:5432/db",
    "postgresql://h/db?user=joe&password=s3cret&sslmode=require",
    "postgresql:///db?host=/var/run/postgresql",
    "postgres://joe@[::1]:5432"
  ])("accepts a valid URL unchanged: %s", (url) => {
    const judged = validateDatabaseUrl(url)
    assert(Result.isSuccess(judged))
    assert.strictEqual(Redacted.value(judged.success), url)
    assert.notInclude(renderError(judged), "s3cr")
  })

  it.live("a failed connection does not reveal the URL either", () =>
    Effect.gen(function*() {
      const { host } = new URL(inject("databaseUrl"))
      const urls = [
        "postgres://joe:s3cret@127.0.0.1:1/db",
        "postgres://joe:s3cret@nowhere.invalid:5432/db",
        `postgres://joe:s3cret@${host}/nowhere`,
        `postgres://joe:s3cret@${host}/postgres?sslmode=require`,
        `postgres://joe:s3cret@${host}/postgres?sslmode=never`
      ]
      for (const url of urls) assert.notInclude(renderError(yield* startError(url)), "s3cret", url)
    }))
})
