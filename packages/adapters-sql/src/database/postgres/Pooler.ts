import { Duration, Effect, Exit, Option, Redacted, Scope } from "effect"
import { type SqlError } from "effect/sql/SqlError"
import { ConnectionFailed } from "../connection/ConnectionFailed.ts"
import { targetOfUrl } from "../connection/ConnectionTarget.ts"
import { poolerModeText } from "../connection/describeFailure.ts"
import { toSqlError } from "../connection/failedConnection.ts"
import { openSession, queryNew, type Session, type SessionConfig, setSearchPath, SilentConnection } from "./Session.ts"

/** Maximum time of the second session of the check. In session pooling with one connection, it gets none. */
const secondTimeout = Duration.seconds(2)

/** The number of times that the two sessions are compared, in case other clients of the pooler take connections meanwhile. */
const attempts = 3

/** Reads the id of the server process. */
const readProcessId = (session: Session, { responseTimeout }: SessionConfig) =>
  Effect.map(
    queryNew(session, "select pg_backend_pid() as pid", [], responseTimeout),
    ({ rows: [row] }) => Number(row?.["pid"])
  )

const isSilent = ({ reason: { cause } }: SqlError): boolean => cause instanceof SilentConnection

/**
 * Returns true if a second session gets the server process of the first one, which is idle, or if the first one gets another process
 * while the second one is in a transaction. Neither happens without a pooler, or in session pooling. Statement pooling ends a session that
 * begins a transaction.
 */
const isShared = Effect.fnUntraced(function*(first: Session, second: Session, config: SessionConfig) {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const before = yield* readProcessId(first, config)
    yield* queryNew(second, "begin", [], secondTimeout)
    const held = yield* readProcessId(second, { ...config, responseTimeout: secondTimeout })
    if (held === before || (yield* readProcessId(first, config)) !== before) return true
    yield* queryNew(second, "rollback", [], secondTimeout)
  }
  return false
})

/**
 * Returns whether the pooler keeps a session on one connection; undefined if no second session can be opened to find out, or if a session is
 * silent: it has no connection of its own in session pooling with one connection, or the network is slow.
 */
const judgePooler = (first: Session, config: SessionConfig): Effect.Effect<"session" | "shared" | undefined> =>
  Effect.acquireUseRelease(
    Scope.make(),
    (scope) =>
      Effect.flatMap(
        Effect.option(
          Scope.provide(
            openSession({ ...config, connectTimeout: secondTimeout, responseTimeout: secondTimeout }),
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
 * Detects a connection pooler between this process and the server: it announces a process id of its own. A pooler must give a session the
 * same connection until the session ends. One that does not is refused, because settings, prepared statements and `LISTEN` would be lost.
 *
 * The sessions of a pool are checked until the result is known, normally the first one. Without a pooler, this is one query.
 */
export class Pooler {
  #kind: "unknown" | "none" | "session" = "unknown"

  /** Opens a session. Checks the pooler before the session changes any setting, which a shared connection would keep. */
  open(config: SessionConfig): Effect.Effect<Session, SqlError, Scope.Scope> {
    return openSession(config).pipe(
      Effect.tap((session) => this.#kind === "none" ? Effect.void : this.#check(session, config)),
      Effect.tap((session) => setSearchPath(session, config))
    )
  }

  #check(session: Session, config: SessionConfig): Effect.Effect<void, SqlError> {
    return Effect.gen({ self: this }, function*() {
      const announced = session.connection.processId
      session.processId = yield* readProcessId(session, config)
      if (this.#kind === "session") return
      if (session.processId === announced) {
        this.#kind = "none"
        return
      }
      const mode = yield* judgePooler(session, config)
      if (mode === "session") this.#kind = mode
      if (mode !== "shared") return
      const { address } = targetOfUrl(Redacted.value(config.url))
      return yield* Effect.fail(toSqlError(new ConnectionFailed("pooler_mode", poolerModeText(address))))
    })
  }
}
