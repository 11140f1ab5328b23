import { PgClient } from "@effect/sql-pg"
import { Duration, Effect, type Layer, Redacted, Result } from "effect"
import { type SqlClient } from "effect/sql"
import { type SqlError } from "effect/sql/SqlError"
import { validateDatabaseUrl } from "./databaseUrl.ts"
import { makePgClient } from "./postgres/makePgClient.ts"
import { refuseOption } from "./refuseOption.ts"
import { chooseSchema, quoteName, schemaOfUrl } from "./schemaName.ts"

/** Connection and timeouts of a PostgreSQL server, version 15 or newer. */
export interface PgOptions {
  /** A libpq URI with one host, `postgres://user:password@host:port/database`, each part percent-encoded. */
  readonly url: string | Redacted.Redacted
  /**
   * The schema of the tables, 1 to 63 bytes. A migration creates it if it is missing. Every connection has a `search_path` of this schema
   * alone, so your own queries on `SqlClient` name the schema of your own tables. A statement of `tx.query` has the `search_path` of the role
   * instead, and finds your own tables without their schema. Installations in different schemas of a database are independent.
   * Default: the parameter `schema` of the URL, or else the first existing schema of the role's `search_path`, which is normally `public`.
   */
  readonly schema?: string | undefined
  /** Maximum number of connections. A `WorkRunner` opens up to three more. Default: 10. */
  readonly maxConnections?: number | undefined
  /** Maximum wait for a connection while all are in use; a longer wait fails with `Busy`. Default: 5 s. */
  readonly poolTimeout?: Duration.Input | undefined
  /**
   * Maximum time to open a connection; a longer attempt fails with `Busy`. Default: `connect_timeout` of the URL, or 5 s.
   */
  readonly connectTimeout?: Duration.Input | undefined
  /**
   * Maximum run time of a statement on the server; a longer one fails with `Busy`. A connection without a response 2 s
   * later is closed. Default: 10 s.
   */
  readonly statementTimeout?: Duration.Input | undefined
  /** Maximum wait for a lock; a longer wait fails with `Busy`. Default: 5 s. */
  readonly lockTimeout?: Duration.Input | undefined
  /**
   * Maximum idle time inside a transaction, after which the server ends the session and releases its locks. Such a session
   * is left behind if the network loses the end of a connection. Default: 10 s.
   */
  readonly idleInTransactionTimeout?: Duration.Input | undefined
  /** `application_name` in `pg_stat_activity`. Default: `lastro`. */
  readonly applicationName?: string | undefined
}

const toMilliseconds = (duration: Duration.Input): string =>
  String(Math.ceil(Duration.toMillis(Duration.fromInputUnsafe(duration))))

/** Validates the URL and the schema. Returns the `search_path` of the sessions, or undefined for the default. */
const validatePlace = (options: PgOptions) =>
  Effect.suspend(() =>
    Effect.fromResult(Result.gen(function*() {
      const url = yield* validateDatabaseUrl(
        typeof options.url === "string" ? options.url : Redacted.value(options.url)
      )
      const schema = yield* chooseSchema(options.schema, yield* schemaOfUrl(Redacted.value(url)))
      return { url, searchPath: schema === undefined ? undefined : quoteName(schema) }
    }))
  )

/** The time that a response may need on the network, in addition to the run time of the statement. */
const networkTime = Duration.seconds(2)

/**
 * Provides a PostgreSQL client. Connections are opened on demand; the first statement opens the first connection. Fails
 * if the URL or the schema is invalid; the error contains no part of the URL.
 *
 * Every wait has an end, also on a network that swallows packets: a connection that does not respond in time is closed
 * and replaced. The deadline of a session is extended to 6 hours while it runs a command that changes its
 * `statement_timeout`, such as a migration.
 */
export const layer = (options: PgOptions): Layer.Layer<PgClient.PgClient | SqlClient.SqlClient, SqlError> => {
  const statementTimeout = Duration.fromInputUnsafe(options.statementTimeout ?? "10 seconds")
  return PgClient.layerFrom(Effect.flatMap(refuseOption(validatePlace(options)), ({ searchPath, url }) =>
    makePgClient({
      url,
      searchPath,
      maxConnections: options.maxConnections ?? 10,
      poolTimeout: Duration.fromInputUnsafe(options.poolTimeout ?? "5 seconds"),
      connectTimeout: options.connectTimeout,
      responseTimeout: Duration.sum(statementTimeout, networkTime),
      applicationName: options.applicationName ?? "lastro",
      startupParameters: {
        // Statements are short: starting parallel workers or JIT compilation costs more time than it saves.
        max_parallel_workers_per_gather: "0",
        jit: "off",
        statement_timeout: toMilliseconds(statementTimeout),
        lock_timeout: toMilliseconds(options.lockTimeout ?? "5 seconds"),
        idle_in_transaction_session_timeout: toMilliseconds(options.idleInTransactionTimeout ?? "10 seconds"),
        // The server closes a session 60 s after it lost its client. Otherwise, such sessions use up its connections.
        tcp_keepalives_idle: "30",
        tcp_keepalives_interval: "10",
        tcp_keepalives_count: "3"
      }
    })))
}
