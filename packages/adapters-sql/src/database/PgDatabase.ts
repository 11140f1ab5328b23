import { PgClient } from "@effect/sql-pg"
import { Duration, Effect, Layer, Redacted } from "effect"
import { type SqlClient } from "effect/sql"
import { SqlError, UnknownError } from "effect/sql/SqlError"
import { judgeDatabaseUrl } from "./judgeDatabaseUrl.ts"

/** How to reach a PostgreSQL (version 15 or newer) and how long to wait for it. */
export interface PgOptions {
  /** A libpq URI of one host, `postgres://user:password@host:port/database`, each part percent-encoded. */
  readonly url: string | Redacted.Redacted
  /** Connections of this process at most; 10 unless given. A `WorkRunner` keeps two of them: then at least 4. */
  readonly maxConnections?: number | undefined
  /** How long one statement may run before it is given up as Busy; 30 seconds unless given. */
  readonly statementTimeout?: Duration.Input | undefined
  /** How long a statement waits for what another transaction holds before it is given up as Busy; 5 seconds unless given. */
  readonly lockTimeout?: Duration.Input | undefined
  /** How long a transaction may stand still before the server ends it; one minute unless given. */
  readonly idleInTransactionTimeout?: Duration.Input | undefined
  /** The name the connections show in `pg_stat_activity`; `lastro` unless given. */
  readonly applicationName?: string | undefined
}

const milliseconds = (duration: Duration.Input): string =>
  String(Math.ceil(Duration.toMillis(Duration.fromInputUnsafe(duration))))

/** The URL, once it is one. No connection was tried, and trying again would not help: hence no error of the connection. */
const judged = (url: PgOptions["url"]): Effect.Effect<Redacted.Redacted, SqlError> =>
  Effect.suspend(() => Effect.fromResult(judgeDatabaseUrl(typeof url === "string" ? url : Redacted.value(url)))).pipe(
    Effect.mapError((cause) =>
      new SqlError({ reason: new UnknownError({ cause, message: cause.message, operation: "connect" }) })
    )
  )

/**
 * A PostgreSQL client. Connections are opened as they are needed; the first is opened by the first statement. A URL that is none
 * fails with what is wrong, and nothing of the URL.
 */
export const layer = (options: PgOptions): Layer.Layer<PgClient.PgClient | SqlClient.SqlClient, SqlError> =>
  Layer.unwrap(Effect.map(judged(options.url), (url) =>
    PgClient.layer({
      url,
      maxConnections: options.maxConnections ?? 10,
      applicationName: options.applicationName ?? "lastro",
      startupParameters: {
        // Statements are short: starting workers or compiling a plan takes longer than what they save.
        max_parallel_workers_per_gather: "0",
        jit: "off",
        statement_timeout: milliseconds(options.statementTimeout ?? "30 seconds"),
        lock_timeout: milliseconds(options.lockTimeout ?? "5 seconds"),
        idle_in_transaction_session_timeout: milliseconds(options.idleInTransactionTimeout ?? "1 minute")
      }
    })))
