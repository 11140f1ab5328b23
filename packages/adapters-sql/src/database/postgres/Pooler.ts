import { Duration, Effect, Exit, Redacted, Scope } from "effect"
import { type SqlError } from "effect/sql/SqlError"
import { ConnectionFailed } from "../connection/ConnectionFailed.ts"
import { targetOfUrl } from "../connection/ConnectionTarget.ts"
import { poolerModeText } from "../connection/describeFailure.ts"
import { toSqlError } from "../connection/failedConnection.ts"
import { openSession, queryNew, type Session, type SessionConfig, setSearchPath } from "./Session.ts"

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

/**
 * Returns true if a second session gets the server process of the first one, which is idle, or if the first one gets another process
 * while the second one is in a transaction. Neither happens without a pooler, or in session pooling.
 */
const isShared = (session: Session, config: SessionConfig): Effect.Effect<boolean, SqlError> =>
  Effect.acquireUseRelease(
    Scope.make(),
    Effect.fnUntraced(function*(scope) {
      const second = yield* Scope.provide(
        openSession({ ...config, connectTimeout: secondTimeout, responseTimeout: secondTimeout }),
        scope
      )
      const ofSecond = { ...config, responseTimeout: secondTimeout }
      for (let attempt = 0; attempt < attempts; attempt++) {
        const before = yield* readProcessId(session, config)
        yield* queryNew(second, "begin", [], secondTimeout)
        const held = yield* readProcessId(second, ofSecond)
        const after = held === before ? before : yield* readProcessId(session, config)
        if (held === before || after !== before) return true
        yield* queryNew(second, "rollback", [], secondTimeout)
      }
      return false
    }),
    (scope) => Scope.close(scope, Exit.void)
  )

const isMode = (error: SqlError): boolean =>
  /statement pooling/i.test(String(Reflect.get(Object(error.reason.cause), "message")))

/**
 * Detects a connection pooler between this process and the server: it announces a process id of its own. A pooler must give a session the
 * same connection until the session ends. One that does not is refused, because settings, prepared statements and `LISTEN` would be lost.
 *
 * The first session of a pool is checked. Without a pooler, this is one query.
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
      // A second session without a connection means that the first one keeps its own.
      const shared = yield* Effect.catch(isShared(session, config), (error) => Effect.succeed(isMode(error)))
      if (shared) {
        const { address } = targetOfUrl(Redacted.value(config.url))
        return yield* Effect.fail(toSqlError(new ConnectionFailed("pooler_mode", poolerModeText(address))))
      }
      this.#kind = "session"
    })
  }
}
