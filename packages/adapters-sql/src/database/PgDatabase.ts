import { PgClient } from "@effect/sql-pg"
import { Duration, Effect, type Layer, Redacted, Result } from "effect"
import { type SqlClient } from "effect/sql"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { targetOfUrl } from "./connection/ConnectionTarget.ts"
import { sessionAttrsOf, urlsOfHosts } from "./connection/databaseHosts.ts"
import { InvalidDatabaseUrl, validateDatabaseUrl } from "./connection/databaseUrl.ts"
import { refuseOption } from "./connection/describeFailure.ts"
import { chooseSchema, InvalidSchemaName, quoteName, schemaOfUrl } from "./connection/schemaName.ts"
import { isWeaker, tlsOfUrl } from "./connection/TlsSettings.ts"
import { DatabaseFailure } from "./DatabaseFailure.ts"
import { type ConnectionPoolConfig } from "./postgres/ConnectionPool.ts"
import { makePgClient } from "./postgres/makePgClient.ts"
import { makeReplica } from "./postgres/makeReplica.ts"

/** Connection and timeouts for a PostgreSQL server, version 15 or newer. */
export interface PgOptions {
  /**
   * A libpq URI, `postgres://user:password@host:port/database`, with each part percent-encoded. It may list several
   * hosts (`host1:port1,host2:port2`): a connection uses the first one in the state that `target_session_attrs`
   * requires.
   *
   * Parameters, with the meanings of libpq: `sslmode` (`disable`, `require`, `verify-ca` or `verify-full`; default:
   * `disable`), `sslrootcert`, `sslcert`, `sslkey`, `ssl=true` (the same as `sslmode=require`), `host`, `port`, `user`,
   * `password`, `dbname`, `application_name`, `connect_timeout`, `options` and `target_session_attrs` (default:
   * `primary`; with several hosts: `read-write`). Unknown parameters are rejected. `databaseUrlOf` adds the environment
   * variables of libpq, such as `PGPASSWORD`.
   */
  readonly url: string | Redacted.Redacted
  /**
   * The URL of a physical streaming standby of the database. The standby serves lists while it is up to date. Default:
   * none.
   *
   * A list contains every change that was committed before the list was requested. The read waits up to 50 ms for the
   * standby to catch up, and then uses the primary. Lists inside a transaction use the primary. So do lists while the
   * standby is unavailable or does not respond within 250 ms.
   *
   * The limits and the number of connections are those of the primary. The `sslmode` of this URL must not be weaker
   * than that of `url`. Default of `target_session_attrs`: `any`. The layer fails if the standby is a copy of another
   * database.
   */
  readonly readUrl?: string | Redacted.Redacted | undefined
  /**
   * The schema of the tables, 1 to 63 bytes. A migration creates it if it is missing. Installations in different
   * schemas of a database are independent. Default: the parameter `schema` of the URL, or else the first existing
   * schema of the role's `search_path`, normally `public`.
   *
   * Every connection has this schema alone as its `search_path`. In your own queries on `SqlClient`, qualify your
   * tables with their schema. A statement of `tx.query` has the `search_path` of the role instead, so it finds your
   * tables without their schema.
   */
  readonly schema?: string | undefined
  /** Maximum number of connections. A `WorkRunner` opens up to three more. Default: 10. */
  readonly maxConnections?: number | undefined
  /** Maximum wait for a connection while all are in use; a longer wait fails with `Busy`. Default: 5 s. */
  readonly poolTimeout?: Duration.Input | undefined
  /**
   * Maximum time to open a connection to one host; a longer attempt fails with `Busy`. Default: `connect_timeout` of
   * the URL, or 5 s.
   */
  readonly connectTimeout?: Duration.Input | undefined
  /**
   * Maximum run time of a statement on the server; a longer one fails with `Busy`. If the server has still not
   * responded 2 s later, the connection is closed. Default: 10 s.
   */
  readonly statementTimeout?: Duration.Input | undefined
  /** Maximum wait for a lock; a longer wait fails with `Busy`. Default: 5 s. */
  readonly lockTimeout?: Duration.Input | undefined
  /**
   * Maximum idle time inside a transaction. After it, the server ends the session and releases its locks. A session is
   * idle, for example, if its client has disappeared from the network. Default: 10 s.
   */
  readonly idleInTransactionTimeout?: Duration.Input | undefined
  /**
   * `application_name` in `pg_stat_activity`. For a standby, ` replica` is appended. Default: that of the URL, or
   * `lastro`.
   */
  readonly applicationName?: string | undefined
}

const toMilliseconds = (duration: Duration.Input): string =>
  String(Math.ceil(Duration.toMillis(Duration.fromInputUnsafe(duration))))

/** Validates a URL and a schema. Returns them with the `search_path` of the sessions (undefined: the default one). */
const validatePlace = (given: string | Redacted.Redacted, option: string | undefined) =>
  Effect.suspend(() =>
    Effect.fromResult(Result.gen(function*() {
      const url = yield* validateDatabaseUrl(typeof given === "string" ? given : Redacted.value(given))
      const schema = yield* chooseSchema(option, yield* schemaOfUrl(Redacted.value(url)))
      return { url, schema, searchPath: schema === undefined ? undefined : quoteName(schema) }
    }))
  )

const otherSchema = new InvalidSchemaName({ problem: "must be the same for the database and its read replica" })

const weakerTls = new InvalidDatabaseUrl({
  problem: "of the read replica (LASTRO_READ_DATABASE_URL) must not have a weaker sslmode than that of the primary"
})

/**
 * Returns the text to log for a failure of the standby. Returns undefined for a statement timeout, because a list that
 * takes too long would fail on the primary, too.
 */
const replicaFailure = (failure: unknown): string | undefined => {
  const failed = isSqlError(failure) ? new DatabaseFailure(failure) : failure
  return failed instanceof DatabaseFailure && failed.reason !== "StatementTimeoutError" ? failed.logMessage : undefined
}

/**
 * Defaults of `target_session_attrs` for the primary. The default of libpq, `any`, is unsuitable: Lastro writes, and
 * must not read outdated data from a standby. With one host, a primary that is temporarily read-only is accepted,
 * because it still serves reads. With several hosts, one that accepts writes is required.
 */
const asPrimary = { attrsOfOne: "primary", attrsOfSeveral: "read-write", suffix: "" } as const

const asReplica = { attrsOfOne: "any", attrsOfSeveral: "any", suffix: " replica" } as const

type ServerRole = typeof asPrimary | typeof asReplica

/** A validated URL, and the `search_path` of the sessions. */
interface Place {
  readonly url: Redacted.Redacted
  readonly searchPath: string | undefined
}

/**
 * Returns the maximum time to open a connection, from the parameter of a valid URL. 0 means the default, as if the
 * parameter were absent.
 */
const connectTimeoutOf = (url: URL): Duration.Duration =>
  Duration.seconds(Number(url.searchParams.get("connect_timeout")) || 5)

/** Maximum time that a response spends on the network. It is added to the run time of the statement. */
const networkTime = Duration.seconds(2)

/** Returns the options of the client of one server. */
const clientOptions = (
  options: PgOptions,
  { searchPath, url }: Place,
  { attrsOfOne, attrsOfSeveral, suffix }: ServerRole
): ConnectionPoolConfig => {
  const parsed = new URL(Redacted.value(url))
  const urls = urlsOfHosts(Redacted.value(url)).map((hostUrl) => Redacted.make(hostUrl))
  const statementTimeout = Duration.fromInputUnsafe(options.statementTimeout ?? "10 seconds")
  return {
    urls,
    sessionAttrs: sessionAttrsOf(parsed.href) ?? (urls.length === 1 ? attrsOfOne : attrsOfSeveral),
    searchPath,
    maxConnections: options.maxConnections ?? 10,
    poolTimeout: Duration.fromInputUnsafe(options.poolTimeout ?? "5 seconds"),
    connectTimeout: options.connectTimeout === undefined
      ? connectTimeoutOf(parsed)
      : Duration.fromInputUnsafe(options.connectTimeout),
    responseTimeout: Duration.sum(statementTimeout, networkTime),
    applicationName: (options.applicationName ?? parsed.searchParams.get("application_name") ?? "lastro") + suffix,
    startupParameters: {
      // Statements are short. Parallel workers and JIT compilation would cost more time than they save.
      max_parallel_workers_per_gather: "0",
      jit: "off",
      statement_timeout: toMilliseconds(statementTimeout),
      lock_timeout: toMilliseconds(options.lockTimeout ?? "5 seconds"),
      idle_in_transaction_session_timeout: toMilliseconds(options.idleInTransactionTimeout ?? "10 seconds"),
      // The server closes a session 60 s after its client has disappeared. Otherwise, such sessions would use up the
      // server's connections.
      tcp_keepalives_idle: "30",
      tcp_keepalives_interval: "10",
      tcp_keepalives_count: "3"
    }
  }
}

/**
 * Provides a PostgreSQL client. Connections are opened on demand, the first one by the first statement. Fails if the
 * URL or the schema is invalid; the error contains no part of the URL.
 *
 * Every wait has an end, even if the network drops packets: a connection that does not respond in time is closed and
 * replaced. A statement that changes `statement_timeout`, such as a migration, extends the timeout of its session to 6
 * hours.
 */
export const layer = (options: PgOptions): Layer.Layer<PgClient.PgClient | SqlClient.SqlClient, SqlError> => {
  const openClient = (place: Place, role: ServerRole) => makePgClient(clientOptions(options, place, role))
  return PgClient.layerFrom(Effect.gen(function*() {
    const place = yield* refuseOption(validatePlace(options.url, options.schema))
    if (options.readUrl === undefined) return yield* openClient(place, asPrimary)
    const readPlace = yield* refuseOption(validatePlace(options.readUrl, place.schema))
    if (readPlace.schema !== place.schema) return yield* refuseOption(Effect.fail(otherSchema))
    if (isWeaker(tlsOfUrl(Redacted.value(readPlace.url)), tlsOfUrl(Redacted.value(place.url)))) {
      return yield* refuseOption(Effect.fail(weakerTls))
    }
    const primary = yield* openClient(place, asPrimary)
    const standby = yield* openClient(readPlace, asReplica)
    const target = targetOfUrl(urlsOfHosts(Redacted.value(readPlace.url))[0] ?? "")
    return Object.assign(primary, { replica: yield* makeReplica(primary, standby, target, replicaFailure) })
  }))
}
