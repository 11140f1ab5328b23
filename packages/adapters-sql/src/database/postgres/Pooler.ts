import { Duration, Effect, Exit, Option, Redacted, Scope } from "effect"
import { type SqlError } from "effect/sql/SqlError"
import { ConnectionFailed } from "../connection/ConnectionFailed.ts"
import { targetOfUrl } from "../connection/ConnectionTarget.ts"
import { poolerModeText, toSqlError } from "../connection/describeFailure.ts"
import {
  type ConnectionConfig,
  openConnection,
  queryNew,
  type ServerConnection,
  SilentConnection
} from "./ServerConnection.ts"

/**
 * Maximum wait for the second session, which the check compares with the first one. A pooler that uses session pooling
 * and has only one server connection never opens a second session.
 */
const secondTimeout = Duration.seconds(2)

/**
 * Number of times that the two sessions are compared. One comparison is not enough, because other clients of the pooler
 * may take connections in the meantime.
 */
const attempts = 3

const readProcessId = (server: ServerConnection, { responseTimeout }: ConnectionConfig) =>
  Effect.map(
    queryNew(server, "select pg_backend_pid() as pid", [], responseTimeout),
    ({ rows: [row] }) => Number(row?.["pid"])
  )

const isSilent = ({ reason: { cause } }: SqlError): boolean => cause instanceof SilentConnection

/**
 * Returns true if the pooler shares server processes between sessions. That is so in two cases: the idle first session
 * and the second one have the same process, or the first one gets a different process while the second one is in a
 * transaction. Neither happens without a pooler, nor in session pooling. With statement pooling, this function fails,
 * because the pooler ends a session that begins a transaction.
 */
const isShared = Effect.fnUntraced(
  function*(first: ServerConnection, second: ServerConnection, config: ConnectionConfig) {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const before = yield* readProcessId(first, config)
      yield* queryNew(second, "begin", [], secondTimeout)
      const held = yield* readProcessId(second, { ...config, responseTimeout: secondTimeout })
      if (held === before || (yield* readProcessId(first, config)) !== before) return true
      yield* queryNew(second, "rollback", [], secondTimeout)
    }
    return false
  }
)

/**
 * Returns `session` if the pooler keeps each session on one connection, and `shared` if it does not. Returns undefined
 * if the check is impossible: no second session can be opened, or a session does not respond in time. The reason may be
 * a slow network, or session pooling with only one server connection.
 */
const judgePooler = (
  first: ServerConnection,
  config: ConnectionConfig
): Effect.Effect<"session" | "shared" | undefined> =>
  Effect.acquireUseRelease(
    Scope.make(),
    (scope) =>
      Effect.flatMap(
        Effect.option(
          Scope.provide(
            openConnection({ ...config, connectTimeout: secondTimeout, responseTimeout: secondTimeout }),
            scope
          )
        ),
        Option.match({
          onNone: () => Effect.undefined,
          onSome: (second) =>
            Effect.match(isShared(first, second, config), {
              onFailure: (error) => isSilent(error) ? undefined : "shared" as const,
              onSuccess: (shared) => shared ? "shared" as const : "session" as const
            })
        })
      ),
    (scope) => Scope.close(scope, Exit.void)
  )

/**
 * Detects a connection pooler between this process and the server. A pooler announces a process id that is not that of
 * the server process. A pooler must keep a session on one server connection until the session ends. Otherwise it is
 * refused, because settings, prepared statements and `LISTEN` would be lost.
 *
 * Each new session of a pool is checked until the result is known, which is normally after the first one. Without a
 * pooler, the check is one query.
 */
export class Pooler {
  #kind: "unknown" | "none" | "session" = "unknown"

  /**
   * Opens a session. Checks the pooler before the session changes any setting, because a shared connection would keep
   * the change for other clients.
   */
  open(config: ConnectionConfig): Effect.Effect<ServerConnection, SqlError, Scope.Scope> {
    return openConnection(config).pipe(
      Effect.tap((server) => this.#kind === "none" ? Effect.void : this.#check(server, config))
    )
  }

  #check(server: ServerConnection, config: ConnectionConfig): Effect.Effect<void, SqlError> {
    return Effect.gen({ self: this }, function*() {
      const announced = server.pg.processId
      server.processId = yield* readProcessId(server, config)
      if (this.#kind === "session") return
      if (server.processId === announced) {
        this.#kind = "none"
        return
      }
      const mode = yield* judgePooler(server, config)
      if (mode === "session") this.#kind = mode
      if (mode !== "shared") return
      const { address } = targetOfUrl(Redacted.value(config.url))
      return yield* Effect.fail(toSqlError(new ConnectionFailed("pooler_mode", poolerModeText(address))))
    })
  }
}
