import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted, Schedule, type Scope } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { readFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { createServer, type Server } from "node:net"
import { inspect } from "node:util"
import { openPostgresHost } from "../../../../test/PostgresHost.ts"
import { ConnectionFailed, connectionFailureOf, type ConnectionProblem, PgDatabase } from "../../src/index.ts"
import { type Authority, openAuthority } from "./authority.ts"

const hba = `
hostssl   all certified all cert
hostnossl all encrypted all reject
host      all trusted   all trust
host      all postgres  all trust
host      all all       all scram-sha-256
`

/** A PostgreSQL with TLS and roles that are admitted in different ways. */
class Cluster extends Context.Service<Cluster, {
  readonly authority: Authority
  /** A URL of the database `postgres`: `user@host`, and parameters. */
  readonly url: (user: string, parameters?: Readonly<Record<string, string>>, database?: string) => string
  /** Replaces the certificate of the server. */
  readonly present: (name: "server" | "expired") => Effect.Effect<void>
  /** Disables TLS on the server, or enables it again. */
  readonly setTls: (isOn: boolean) => Effect.Effect<void>
}>()("@lastro/adapters-sql/test/database/connections.test/Cluster") {}

const execute = <Row extends object>(url: string, ...statements: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    let rows: ReadonlyArray<Row> = []
    for (const statement of statements) rows = yield* sql.unsafe<Row>(statement)
    return rows
  }).pipe(
    Effect.provide(PgDatabase.layer({ url: Redacted.make(url), maxConnections: 1 }), { local: true })
  )

const layerCluster = Layer.effect(
  Cluster,
  Effect.gen(function*() {
    const authority = yield* openAuthority
    const host = yield* Effect.acquireRelease(
      Effect.promise(openPostgresHost),
      ({ directory }) => Effect.promise(() => rm(directory, { recursive: true, force: true, maxRetries: 20 }))
    )
    yield* Effect.promise(() => host.initialize("0"))
    const write = (file: string, text: string) => Effect.promise(() => host.write("0", file, text))
    authority.issue("client", { subject: "certified" })
    authority.issue("stranger", { subject: "stranger" })
    const certificates = {
      server: authority.issue("server", { subject: "localhost", host: "localhost" }),
      expired: authority.issue("expired", { subject: "localhost", host: "localhost", days: -1 })
    }
    const store = (name: keyof typeof certificates) =>
      Effect.andThen(write("server.crt", certificates[name].certificate), write("server.key", certificates[name].key))
    yield* store("server")
    yield* write("ca.crt", readFileSync(authority.path("ca.crt"), "utf8"))
    yield* write("pg_hba.conf", hba)
    // Unlike a setting of the command line, this one can be changed.
    yield* write("postgresql.auto.conf", "ssl = on\n")
    const { port } = yield* Effect.acquireRelease(
      Effect.promise(() =>
        host.start({
          data: "0",
          settings: {
            fsync: "off",
            max_connections: "20",
            shared_buffers: "1MB",
            listen_addresses: "127.0.0.1",
            unix_socket_directories: "",
            ssl_ca_file: "ca.crt"
          }
        })
      ),
      ({ remove }) => Effect.promise(remove)
    )
    const url = (user: string, parameters: Readonly<Record<string, string>> = {}, database = "postgres") => {
      const [name, at = "localhost"] = user.split("@")
      return `postgres://${name}@${at}:${port}/${database}?${new URLSearchParams(parameters).toString()}`
    }
    const administer = (...statements: ReadonlyArray<string>) => Effect.orDie(execute(url("postgres"), ...statements))
    yield* administer(
      "create role certified login",
      "create role encrypted login password 's3cret'",
      "create role trusted login",
      "create role joe login password 's3cret'",
      "create role limited login password 's3cret' connection limit 0",
      "create database closed",
      "revoke connect on database closed from public"
    )
    const loadTime = Effect.map(
      execute<{ readonly at: string }>(url("postgres"), "select pg_conf_load_time()::text as at"),
      ([row]) => row?.at
    )
    const reload = Effect.orDie(Effect.gen(function*() {
      const before = yield* loadTime
      yield* administer("select pg_reload_conf()")
      yield* Effect.repeat(loadTime, { until: (at) => at !== before, schedule: Schedule.spaced("10 millis") })
    }))
    return Cluster.of({
      authority,
      url,
      present: (name) => Effect.andThen(store(name), reload),
      setTls: (isOn) => Effect.andThen(administer(`alter system set ssl = ${isOn ? "on" : "off"}`), reload)
    })
  })
)

/** Opens a connection, and returns whether it is encrypted. */
const isEncrypted = (url: string) =>
  Effect.map(
    execute<{ readonly ssl: boolean }>(url, "select ssl from pg_stat_ssl where pid = pg_backend_pid()"),
    ([row]) => row?.ssl
  )

/** Fails to connect, and checks that the error has one sentence for the operator, without secrets. */
const failure = (url: string, timeout?: number) =>
  Effect.gen(function*() {
    const error = yield* Effect.flip(Effect.scoped(Effect.flatMap(
      Layer.build(Layer.fresh(
        PgDatabase.layer({ url, ...timeout === undefined ? {} : { connectTimeout: timeout } })
      )),
      (context) => Context.get(context, SqlClient.SqlClient)`select 1`
    )))
    assert(SqlError.isSqlError(error))
    const failed = connectionFailureOf(error)
    assert.instanceOf(failed, ConnectionFailed, inspect(error))
    assert.strictEqual(error.message, failed.message)
    assert.notInclude(inspect(error, { depth: null, showHidden: true }), "s3cret")
    assert.notInclude(failed.message, "\n")
    return failed
  })

const startMute: Effect.Effect<number, never, Scope.Scope> = Effect.map(
  Effect.acquireRelease(
    Effect.promise(() =>
      new Promise<Server>((resolve) => {
        const server = createServer((socket) => socket.on("error", () => undefined)).listen(
          0,
          "127.0.0.1",
          () => resolve(server)
        )
      })
    ),
    (server) => Effect.sync(() => server.close())
  ),
  (server) => {
    const address = server.address()
    return typeof address === "object" && address !== null ? address.port : 0
  }
)

it.layer(layerCluster, { excludeTestServices: true, timeout: "1 minute" })("a connection to PostgreSQL", (it) => {
  it.effect("is encrypted and verified as its sslmode requires", () =>
    Effect.gen(function*() {
      const { authority, url } = yield* Cluster
      const [root, other] = [authority.path("ca.crt"), authority.path("other.crt")]
      const accepted: ReadonlyArray<readonly [user: string, parameters: Record<string, string>, ssl: boolean]> = [
        ["trusted", {}, false],
        ["trusted", { sslmode: "disable" }, false],
        ["trusted", { sslmode: "require" }, true],
        ["trusted", { ssl: "true" }, true],
        ["trusted", { sslmode: "require", sslrootcert: root }, true],
        ["trusted@127.0.0.1", { sslmode: "require", sslrootcert: root }, true],
        ["trusted@127.0.0.1", { sslmode: "verify-ca", sslrootcert: root }, true],
        ["trusted", { sslmode: "verify-full", sslrootcert: root }, true],
        ["encrypted:s3cret", { sslmode: "verify-full", sslrootcert: root }, true],
        ["certified", {
          sslmode: "verify-full",
          sslrootcert: root,
          sslcert: authority.path("client.crt"),
          sslkey: authority.path("client.key")
        }, true]
      ]
      for (const [user, parameters, ssl] of accepted) {
        assert.strictEqual(yield* isEncrypted(url(user, parameters)), ssl, JSON.stringify([user, parameters]))
      }
      const refused: ReadonlyArray<readonly [ConnectionProblem, user: string, parameters: Record<string, string>]> = [
        ["certificate_untrusted", "trusted", { sslmode: "verify-ca", sslrootcert: other }],
        ["certificate_untrusted", "trusted", { sslmode: "verify-full" }],
        ["certificate_untrusted", "trusted", { sslmode: "verify-full", sslrootcert: "system" }],
        ["certificate_untrusted", "trusted", { sslmode: "verify-full", sslrootcert: other }],
        ["certificate_untrusted", "trusted", { sslmode: "require", sslrootcert: other }],
        ["certificate_host_mismatch", "trusted@127.0.0.1", { sslmode: "verify-full", sslrootcert: root }],
        ["file_unusable", "trusted", { sslmode: "verify-full", sslrootcert: "/nowhere" }],
        ["file_unusable", "trusted", {
          sslmode: "require",
          sslcert: authority.path("client.crt"),
          sslkey: authority.path("server.key")
        }],
        ["not_admitted", "certified", { sslmode: "require" }],
        ["not_admitted", "certified", {
          sslmode: "require",
          sslcert: authority.path("stranger.crt"),
          sslkey: authority.path("stranger.key")
        }],
        ["not_admitted", "encrypted:s3cret", {}]
      ]
      for (const [problem, user, parameters] of refused) {
        const failed = yield* failure(url(user, parameters))
        assert.strictEqual(failed.problem, problem, `${JSON.stringify([user, parameters])}: ${failed.message}`)
      }
    }))

  it.effect("is read committed, whatever the default of the role or of the URL", () =>
    Effect.gen(function*() {
      const { url } = yield* Cluster
      const isolation = (parameters: Readonly<Record<string, string>>) =>
        execute<{ readonly transaction_isolation: string }>(url("trusted", parameters), "show transaction_isolation")
      yield* execute(url("postgres"), "alter role trusted set default_transaction_isolation = 'repeatable read'")
      const wanted = [{ transaction_isolation: "read committed" }]
      assert.deepStrictEqual(yield* isolation({}), wanted)
      assert.deepStrictEqual(yield* isolation({ schema: "public" }), wanted)
      assert.deepStrictEqual(yield* isolation({ options: "-c default_transaction_isolation=serializable" }), wanted)
      yield* execute(url("postgres"), "alter role trusted reset default_transaction_isolation")
    }))

  it.effect("fails with a sentence of its own for each cause", () =>
    Effect.gen(function*() {
      const { url } = yield* Cluster
      const mute = yield* startMute
      const causes: ReadonlyArray<readonly [ConnectionProblem, url: string, message: RegExp]> = [
        [
          "host_unknown",
          "postgres://joe:s3cret@nowhere.invalid/db",
          /host nowhere\.invalid of the database has no address/
        ],
        ["refused", "postgres://joe:s3cret@127.0.0.1:1/db", /Nothing accepts connections at 127\.0\.0\.1:1\. Check/],
        ["refused", "postgres://joe:s3cret@h/db?host=/nowhere", /socket \/nowhere\/\.s\.PGSQL\.5432 /],
        ["timeout", `postgres://joe:s3cret@127.0.0.1:${mute}/db`, /did not respond in time/],
        ["password_rejected", url("joe:s3cret2"), /rejected the password of the role "joe" \(28P01\)/],
        ["password_missing", url("joe"), /requires a password for the role "joe"/],
        ["database_missing", url("joe:s3cret", {}, "nowhere"), /has no database "nowhere" \(3D000\)/],
        ["privilege_missing", url("joe:s3cret", {}, "closed"), /GRANT CONNECT ON DATABASE "closed" TO "joe"/],
        ["too_many_connections", url("limited:s3cret"), /no free connection for the role "limited" \(53300\)/]
      ]
      for (const [problem, given, message] of causes) {
        const failed = yield* failure(given, problem === "timeout" ? 100 : undefined)
        assert.strictEqual(failed.problem, problem, failed.message)
        assert.match(failed.message, message)
      }
    }))

  it.effect("fails with a server without TLS, unless sslmode is disable, and with an expired certificate", () =>
    Effect.gen(function*() {
      const { authority, present, setTls, url } = yield* Cluster
      const verified = { sslmode: "verify-full", sslrootcert: authority.path("ca.crt") }
      yield* present("expired")
      const expired = yield* failure(url("trusted", verified))
      assert.strictEqual(expired.problem, "certificate_expired", expired.message)
      yield* setTls(false)
      for (const parameters of [{ ssl: "true" }, { sslmode: "require" }, verified]) {
        const failed = yield* failure(url("trusted", parameters))
        assert.strictEqual(failed.problem, "tls_not_offered", failed.message)
      }
      assert.isFalse(yield* isEncrypted(url("trusted", { sslmode: "disable" })))
      // A renewed certificate takes effect without a restart of the client.
      yield* setTls(true)
      yield* present("server")
      assert.isTrue(yield* isEncrypted(url("trusted", verified)))
    }))
})

describe("connectionFailureOf", () => {
  it("returns undefined for other errors", () => {
    assert.isUndefined(connectionFailureOf(new Error("x", { cause: new Error("y") })))
    assert.isUndefined(connectionFailureOf("x"))
  })
})
