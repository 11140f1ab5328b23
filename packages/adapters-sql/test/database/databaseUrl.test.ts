import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Result } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { inspect } from "node:util"
import { inject } from "vitest"
import { databaseUrlOf, layerPostgres, validateDatabaseUrl } from "../../src/index.ts"

/** Renders an error in every way in which it may be logged. */
const renderError = (error: unknown): string =>
  [
    inspect(error, { depth: null, showHidden: true }),
    String(error),
    error instanceof Error ? error.stack : "",
    JSON.stringify(error)
  ].join("\n")

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
const invalidHosts = "must have a valid parameter host: host must be a host, or several hosts separated by commas"
const verifyCa =
  "must have sslrootcert with sslmode=verify-ca, because a public authority signs the certificate of any host. " +
  "Set sslrootcert, or use sslmode=verify-full"
const unencodedAmpersand =
  "must be percent-encoded: it has an unknown parameter, which may be a part of a value with an unencoded &"
const unknown = (name: string, remedy: string) => `must not have the unknown parameter ${name}. ${remedy}`
const listed =
  "The parameters are host, port, user, password, dbname, application_name, options, connect_timeout, ssl, " +
  "sslmode, sslrootcert, sslcert, sslkey, schema, target_session_attrs, channel_binding, client_encoding, gssencmode, " +
  "sslnegotiation, load_balance_hosts"

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
      ["postgres://joe:s3cret@h:0/db", invalidHost],
      ["postgres://joe:s3cret", invalidHost],
      ["postgres://joe:s3cret@h,,i/db", invalidHosts],
      ["postgres://joe:s3cret@h/db?host=h,", invalidHosts],
      ["postgres://joe:s3cret@,h/db", invalidHost],
      ["postgres://joe:s3cret@h:x,i/db", invalidHost],
      [
        "postgres://joe:s3cret@h:5432,i:0/db",
        "must have a valid parameter port: port must be a port number from 1 to 65535, or one for each host, separated by commas"
      ],
      ["postgres://joe:s3cret@h,i,j/db?port=1,2", "must have one port, or one for each host"],
      ["postgres://joe:s3cret@h/db?port=1,2", "must have one port, or one for each host"],
      [
        `postgres://joe:s3cret@${"h,".repeat(16)}h/db`,
        "must have a valid parameter host: host must have at most 16 hosts"
      ],
      [
        "postgres://joe:s3cret@h,i/db?target_session_attrs=write",
        "must have a valid parameter target_session_attrs: target_session_attrs must be one of any, read-write, read-only, " +
        "primary, standby, prefer-standby"
      ],
      [
        "postgres://joe:s3cret@h,i/db?load_balance_hosts=random",
        "must have a valid parameter load_balance_hosts: load_balance_hosts must be disable"
      ],
      ["postgres://h/db?user=joe&password=a&s3cret=1", unencodedAmpersand],
      ["postgres://joe:s3cret@h/db?s3cret", unencodedAmpersand],
      ["postgres://joe:s3cret@h/db?sslMode=require", unknown("sslMode", "Did you mean sslmode? Otherwise remove it")],
      ["postgres://joe:s3cret@h/db?ssl_mode=require", unknown("ssl_mode", "Did you mean sslmode? Otherwise remove it")],
      ["postgres://joe:s3cret@h/db?sslroot=x", unknown("sslroot", listed)],
      ["postgres://joe:s3cret@h/db?pgbouncer=true", unknown("pgbouncer", listed)],
      [
        "postgres://joe:s3cret@h/db?passfile=x",
        "must not have the parameter passfile, which Lastro does not support. Put the password into the URL"
      ],
      [
        "postgres://joe:s3cret@h/db?sslmode=banana",
        "must have a valid parameter sslmode: sslmode must be disable, require, verify-ca or verify-full"
      ],
      [
        "postgres://joe:s3cret@h/db?sslmode=prefer",
        "must have a valid parameter sslmode: sslmode must not be prefer or allow, which send the password unencrypted if the server or " +
        "an attacker offers no TLS. Use require, verify-ca, verify-full or disable"
      ],
      [
        "postgres://joe:s3cret@h/db?ssl=false",
        "must have a valid parameter ssl: ssl must be true. Use sslmode instead"
      ],
      ["postgres://joe:s3cret@h/db?ssl=true&sslmode=disable", "must not have both ssl=true and sslmode=disable"],
      [
        "postgres://joe:s3cret@h/db?sslmode=require&sslmode=disable",
        "must have a valid parameter sslmode: sslmode must be given once"
      ],
      ["postgres://joe:s3cret@h/db?sslmode=require&sslcert=x", "must have both sslcert and sslkey, or neither of them"],
      ["postgres://joe:s3cret@h/db?sslmode=verify-ca", verifyCa],
      ["postgres://joe:s3cret@h/db?sslrootcert=x", "must have an sslmode other than disable with sslrootcert"],
      [
        "postgres://joe:s3cret@h/db?sslmode=require&sslrootcert=system",
        "must have sslmode=verify-full with sslrootcert=system"
      ],
      [
        "postgres://joe:s3cret@h/db?channel_binding=require",
        "must have a valid parameter channel_binding: channel_binding must be prefer or disable"
      ],
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

  it("is completed by the variables of libpq", () => {
    const urlOf = (environment: Record<string, string>, name?: string) =>
      Result.map(databaseUrlOf(environment, name), (url) => url === undefined ? undefined : Redacted.value(url))
    const problemOf = (environment: Record<string, string>) => {
      const result = urlOf(environment)
      assert(Result.isFailure(result))
      return result.failure.message
    }
    const url = "postgres://joe@h/db"
    for (
      const [environment, expected] of [
        [{}, undefined],
        [{ PGUSER: "joe", PGPASSWORD: "s3cret" }, undefined],
        [{ DATABASE_URL: url }, url],
        [{ DATABASE_URL: url, PGUSER: "ann", PGHOST: "i", PGPORT: "" }, url],
        [{ DATABASE_URL: url, PGPASSWORD: "s3 cret&#@", PGPORT: "6432" }, `${url}?port=6432&password=s3+cret%26%23%40`],
        [{ DATABASE_URL: `${url}?ssl=true`, PGSSLMODE: "disable" }, `${url}?ssl=true`],
        [{ DATABASE_URL: `${url}?sslmode=disable`, PGSSLROOTCERT: "/ca.crt" }, `${url}?sslmode=disable`],
        [{ DATABASE_URL: url, PGSSLMODE: "disable", PGSSLROOTCERT: "/ca.crt" }, `${url}?sslmode=disable`],
        [
          { DATABASE_URL: `${url}?sslmode=verify-ca`, PGSSLROOTCERT: "/ca.crt" },
          `${url}?sslmode=verify-ca&sslrootcert=%2Fca.crt`
        ],
        [
          { DATABASE_URL: url, PGSSLMODE: "verify-full", PGSSLROOTCERT: "/ca.crt" },
          `${url}?sslmode=verify-full&sslrootcert=%2Fca.crt`
        ],
        [{ PGHOST: "h", PGUSER: "joe", PGDATABASE: "db" }, "postgres:///?host=h&user=joe&dbname=db"],
        [
          { PGHOST: "h,i", PGPORT: "1,2", PGTARGETSESSIONATTRS: "primary" },
          "postgres:///?host=h%2Ci&port=1%2C2&target_session_attrs=primary"
        ],
        [{ DATABASE_URL: "postgres://h:1,i/db", PGHOST: "j", PGPORT: "3" }, "postgres://h/db?host=h%2Ci&port=1%2C"],
        [{ DATABASE_URL: "postgres://joe:s3cret@/db", PGHOST: "i" }, "postgres:///db?user=joe&password=s3cret&host=i"],
        [{ DATABASE_URL: "postgres://h,i/db", PGPORT: "3" }, "postgres://h/db?host=h%2Ci&port=3"]
      ] as const
    ) assert.deepStrictEqual(urlOf(environment), Result.succeed(expected))
    assert.deepStrictEqual(urlOf({ PGHOST: "h" }, "LASTRO_READ_DATABASE_URL"), Result.succeed(undefined))
    assert.strictEqual(
      problemOf({ PGHOST: "h", PGSSLMODE: "s3cret" }),
      "PGSSLMODE must be disable, require, verify-ca or verify-full"
    )
    for (const variable of ["PGSSLROOTCERT", "PGSSLCERT", "PGSSLKEY"]) {
      assert.match(
        problemOf({ DATABASE_URL: url, [variable]: "s3cret" }),
        new RegExp(`^${variable} requires PGSSLMODE`)
      )
    }
    assert.strictEqual(problemOf({ PGHOST: "h", PGSSLMODE: "verify-ca" }), `DATABASE_URL ${verifyCa}`)
    assert.strictEqual(problemOf({ DATABASE_URL: "mysql://s3cret" }), `DATABASE_URL ${notPostgres}`)
    for (const variable of ["PGPASSFILE", "PGSERVICE", "PGHOSTADDR", "PGSSLCRL"]) {
      assert.match(
        problemOf({ DATABASE_URL: url, [variable]: "s3cret" }),
        new RegExp(`^${variable} must not be set, because Lastro does not support it\\. [A-Z]`)
      )
    }
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
