import { Duration, Effect, Option, Redacted, type Scope } from "effect"
import { type SqlError } from "effect/sql/SqlError"
import { ConnectionFailed } from "../connection/ConnectionFailed.ts"
import { targetOfUrl } from "../connection/ConnectionTarget.ts"
import { poolerModeText, silentSessionText, toSqlError } from "../connection/describeFailure.ts"
import {
  type ConnectionConfig,
  openConnection,
  queryFirst,
  type ServerConnection,
  SilentConnection
} from "./ServerConnection.ts"

/**
 * Maximum wait for the second session that the check needs. A pooler in session mode with a single server connection
 * never opens a second session.
 */
const secondTimeout = Duration.seconds(2)

/**
 * Number of comparisons of the two sessions. One is not enough, because other clients of the pooler may take
 * connections in between.
 */
const attempts = 3

const readProcessId = (server: ServerConnection, { responseTimeout }: ConnectionConfig) =>
  Effect.map(
    queryFirst(server, "select pg_backend_pid() as pid", [], responseTimeout),
    ({ rows: [row] }) => Number(row?.["pid"])
  )

const isSilent = ({ reason: { cause } }: SqlError): boolean => cause instanceof SilentConnection

/**
 * Returns whether the pooler shares server processes between sessions. It does if the second session gets the process of
 * the idle first session. It also does if the first session gets another process while the second one is in a
 * transaction. Neither happens in session pooling or without a pooler. Fails in statement pooling, because the pooler
 * ends a session that begins a transaction.
 */
const isShared = Effect.fnUntraced(
  function*(first: ServerConnection, second: ServerConnection, config: ConnectionConfig) {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const before = yield* readProcessId(first, config)
      yield* queryFirst(second, "begin", [], secondTimeout)
      const held = yield* readProcessId(second, { ...config, responseTimeout: secondTimeout })
      if (held === before || (yield* readProcessId(first, config)) !== before) return true
      yield* queryFirst(second, "rollback", [], secondTimeout)
    }
    return false
  }
)

/**
 * Returns `session` if the pooler keeps each session on one connection, and `shared` if not. Returns undefined if the
 * check is impossible: no second session can be opened, or a session does not respond in time. The network may be slow,
 * or the pooler may have only one server connection.
 */
const judgePooler = (
  first: ServerConnection,
  config: ConnectionConfig
): Effect.Effect<"session" | "shared" | undefined> =>
  Effect.scoped(Effect.gen(function*() {
    const options = { ...config, connectTimeout: secondTimeout, responseTimeout: secondTimeout }
    const second = yield* Effect.option(openConnection(options))
    if (Option.isNone(second)) return undefined
    return yield* Effect.match(isShared(first, second.value, config), {
      onFailure: (error) => isSilent(error) ? undefined : "shared" as const,
      onSuccess: (shared) => shared ? "shared" as const : "session" as const
    })
  }))

/**
 * Detects a connection pooler between this process and the server: it reports a process id that is not the server's.
 * The pooler is accepted only if it keeps a session on one server connection. Otherwise, settings, prepared statements
 * and `LISTEN` would be lost.
 *
 * Each new session is checked until the result is known, normally only the first one. Without a pooler, the check is
 * one query. It is repeated after a session has lost its prepared statements, because the mode of the pooler may have
 * changed.
 */
export class Pooler {
  #kind: "unknown" | "none" | "session" = "unknown"

  /**
   * Opens a session. Checks the pooler before the session changes any setting, because a shared connection would keep
   * that setting for other clients.
   */
  open(config: ConnectionConfig): Effect.Effect<ServerConnection, SqlError, Scope.Scope> {
    return openConnection(config).pipe(
      Effect.tap((server) => {
        server.onLost(() => void (this.#kind = "unknown"))
        return this.#kind === "none" ? Effect.void : this.#check(server, config)
      })
    )
  }

  #check(server: ServerConnection, config: ConnectionConfig): Effect.Effect<void, SqlError> {
    return Effect.gen({ self: this }, function*() {
      const announced = server.pg.processId
      const { address } = targetOfUrl(Redacted.value(config.url))
      server.processId = yield* Effect.mapError(
        readProcessId(server, config),
        (error) => isSilent(error) ? toSqlError(new ConnectionFailed("timeout", silentSessionText(address))) : error
      )
      if (this.#kind === "session") return
      if (server.processId === announced) {
        this.#kind = "none"
        return
      }
      const mode = yield* judgePooler(server, config)
      if (mode === "session") this.#kind = mode
      if (mode !== "shared") return
      return yield* Effect.fail(toSqlError(new ConnectionFailed("pooler_mode", poolerModeText(address))))
    })
  }
}
