import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Result } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { inspect } from "node:util"
import { inject } from "vitest"
import { judgeDatabaseUrl, layerPostgres } from "../../src/index.ts"

/** Every way in which an error comes to be read. */
const told = (error: unknown): string =>
  [
    inspect(error, { depth: null, showHidden: true }),
    String(error),
    error instanceof Error ? error.stack : "",
    JSON.stringify(error)
  ].join("\n")

/** What whoever starts Lastro on this URL is told; that it does not start is part of it. */
const refusal = (url: string | Redacted.Redacted) =>
  Effect.promise(() =>
    Effect.runPromise(Effect.provide(Effect.asVoid(SqlClient.SqlClient), layerPostgres({ url }), { local: true })).then(
      () => assert.fail("it started"),
      (error: unknown) => error
    )
  )

const bare =
  "has to be percent-encoded: it holds a bare # / ? or @ in the user, the password, the database or a parameter"
const noUrl = "has to be a PostgreSQL URL such as postgres://user:password@host:5432/database"
const percent = "has to be percent-encoded: it holds a % that encodes nothing, and a % itself is written %25"
const noPlace = "has to be a URL of a valid host and port"

describe("a database's URL", () => {
  it.live.each(
    [
      ["postgres://joe:s3cret#pw@h:5432/db", bare],
      ["postgres://joe:s3cret/pw@h:5432/db", bare],
      ["postgres://joe:s3cret?pw@h:5432/db", bare],
      // The next four are URLs to Node: of the host joe, or of the host s3cret.
      ["postgres://joe:1234/s3cret@h:5432/db", bare],
      ["postgres://joe:1234?s3cret@h:5432/db", bare],
      ["postgres://joe:#s3cret@h:5432/db", bare],
      ["postgres://joe:pw@s3cret/pw@h:5432/db", bare],
      ["postgres://joe:100%s3cret@h:5432/db", percent],
      ["postgres://joe:s3cret@h:5432/d%b", percent],
      ["postgres://joe:s3cret@h:99999/db", noPlace],
      ["postgres://joe:s3cret@a b/db", noPlace],
      ["postgres://joe:s3cret@/db", noPlace],
      ["postgres://joe:s3cret", noPlace],
      ["mysql://joe:s3cret@h/db", noUrl],
      ["joe:s3cret@h/db", noUrl],
      ["", noUrl]
    ] as const
  )(
    "that is none is refused before it is used, and nothing of it is told: %s",
    ([url, problem]) =>
      Effect.gen(function*() {
        const judged = judgeDatabaseUrl(url)
        assert(Result.isFailure(judged))
        assert.strictEqual(judged.failure.problem, problem)
        for (const given of [url, Redacted.make<string>(url)]) {
          const error = yield* refusal(given)
          assert(SqlError.isSqlError(error))
          assert.strictEqual(error.message, `The url of the database ${problem}.`)
          assert.isFalse(error.isRetryable)
          assert.notMatch(told(error), /s3cret|joe|1234/)
        }
      })
  )

  it.each([
    "postgres://joe:s3cret%23%2F%3F%40%25pw@h:5432/db",
    "postgres://joe:s3cr@t!$&'()*+,;=:~^|<>[]{}\\`\"@h:5432/db",
    "postgresql://h/db?user=joe&password=s3cret&sslmode=require",
    "postgresql:///db?host=/var/run/postgresql",
    "postgres://joe@[::1]:5432"
  ])("that is one is taken as it is: %s", (url) => {
    const judged = judgeDatabaseUrl(url)
    assert(Result.isSuccess(judged))
    assert.strictEqual(Redacted.value(judged.success), url)
    assert.notInclude(told(judged), "s3cr")
  })

  it.live("that reaches no database, or not this one, is not told either", () =>
    Effect.gen(function*() {
      const { host } = new URL(inject("databaseUrl"))
      const urls = [
        "postgres://joe:s3cret@127.0.0.1:1/db",
        "postgres://joe:s3cret@nowhere.invalid:5432/db",
        `postgres://joe:s3cret@${host}/nowhere`,
        `postgres://joe:s3cret@${host}/postgres?sslmode=require`,
        `postgres://joe:s3cret@${host}/postgres?sslmode=never`
      ]
      for (const url of urls) assert.notInclude(told(yield* refusal(url)), "s3cret", url)
    }))
})
