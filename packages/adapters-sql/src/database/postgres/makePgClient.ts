import { PgClient, type PgConnection } from "@effect/sql-pg"
import { Duration, Effect, type Queue, type Scope } from "effect"
import { type Reactivity } from "effect/reactivity/Reactivity"
import { SqlClient, type SqlError, Statement } from "effect/sql"
import { commit } from "./commit.ts"
import { type Session } from "./Session.ts"
import { SessionConnection, type StatementRules } from "./SessionConnection.ts"
import { makeSessionPool, type SessionPoolConfig } from "./SessionPool.ts"

/** Settings of a client. */
export interface PgClientConfig extends SessionPoolConfig {
  /** Maximum wait for a response to a statement. It is longer than the server's `statement_timeout`. */
  readonly responseTimeout: Duration.Duration
}

/** Maximum wait for a response to a statement that may run for long, such as one of a migration. */
const longResponseTimeout = Duration.hours(6)

/** The pause between probes of a session that only receives notifications, and the maximum wait for a response. */
const probe = { interval: "10 seconds", timeout: 5_000 } as const

const json = Statement.custom<Statement.Custom<"PgJson", unknown>>("PgJson")

/**
 * Makes a client whose every wait has an end: for a connection, a free session and the response to a statement. It does
 * the same as the client of `@effect/sql-pg` otherwise.
 */
export const makePgClient = Effect.fnUntraced(function*(
  config: PgClientConfig
): Effect.fn.Return<PgClient.PgClient, never, Scope.Scope | Reactivity> {
  const pool = yield* makeSessionPool(config)
  const rules: StatementRules = {
    statement: Duration.toMillis(config.responseTimeout),
    longStatement: Duration.toMillis(longResponseTimeout),
    onSilence: pool.destroyIdleSince,
    onReadOnly: pool.replaceAll
  }
  const connect = (session: Session, connection: PgConnection.PgConnection = session.connection) =>
    new SessionConnection(session, connection, rules)
  const lease = Effect.map(pool.lease, (session) => connect(session))
  /** Borrows a session that no other fiber can use, for a transaction or a listener. */
  const reserve = Effect.flatMap(
    pool.lease,
    (session) => Effect.map(session.connection.pin, (pinned) => ({ session, pinned }))
  )

  const listen = Effect.fnUntraced(function*(
    channel: string
  ): Effect.fn.Return<Queue.Dequeue<PgConnection.Notification, SqlError.SqlError>, SqlError.SqlError, Scope.Scope> {
    const { pinned, session } = yield* reserve
    const connection = connect(session, pinned)
    const notifications = yield* connection.guard(pinned.listen(channel))
    // Added last, so that it runs before the client waits for the response to UNLISTEN.
    yield* Effect.addFinalizer(() => Effect.sync(() => session.destroy(new Error("The listener ends"))))
    // A listener sends nothing, so only a probe notices that the network is silent. A lost probe fails the queue. A spent
    // session may be connected to a server that is now read-only, and is closed too.
    yield* connection.guard(Effect.asVoid(pinned.query("select 1")), probe.timeout).pipe(
      Effect.andThen(Effect.sync(() => session.isSpent && session.destroy(new Error("The session is replaced")))),
      Effect.delay(probe.interval),
      Effect.forever,
      Effect.catchCause(() => Effect.sync(() => session.destroy(new Error("The listener does not respond")))),
      Effect.forkScoped
    )
    return notifications
  })

  const client = yield* SqlClient.make({
    acquirer: lease,
    borrower: (f) => pool.use((session) => f(connect(session))),
    transactionAcquirer: Effect.map(reserve, ({ pinned, session }) => connect(session, pinned)),
    compiler: PgClient.makeCompiler(),
    driver: "pg",
    prepareTransactionControls: true,
    commit,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    // A closed session has no transaction to roll back. Its failure is reported, not that of the rollback.
    isTransaction: (connection) => !(connection instanceof SessionConnection && connection.session.isClosed),
    spanAttributes: [["db.system.name", "postgresql"]]
  })
  return Object.assign(client, {
    [PgClient.TypeId]: PgClient.TypeId,
    config,
    json: (value: unknown) => Statement.fragment([json(value)]),
    listen,
    notify: (channel: string, payload: string) => Effect.asVoid(client`select pg_notify(${channel}, ${payload})`)
  })
})
