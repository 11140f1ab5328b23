import { PgClient, type PgConnection } from "@effect/sql-pg"
import { Context, Duration, Effect, Predicate, type Queue, type Scope } from "effect"
import { type Reactivity } from "effect/reactivity/Reactivity"
import { SqlClient, type SqlConnection, type SqlError, Statement } from "effect/sql"
import { commit } from "./commit.ts"
import { type Session } from "./Session.ts"
import { SessionConnection, type StatementRules } from "./SessionConnection.ts"
import { makeSessionPool, type SessionPoolConfig } from "./SessionPool.ts"

/** Settings of a client. */
export interface PgClientConfig extends SessionPoolConfig {
  /** Maximum wait for a response to a statement. It is longer than the server's `statement_timeout`. */
  readonly responseTimeout: Duration.Duration
}

/** What this client can do in addition to a client of `@effect/sql-pg`. */
export interface LeanClient {
  /** Runs the text of a statement, without the cost of building the statement. */
  readonly runText: <Row extends object>(
    text: string,
    parameters: ReadonlyArray<unknown>
  ) => Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError>
  /** Runs an effect whose statements outside of a transaction share one session. */
  readonly onOneSession: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | SqlError.SqlError, R>
}

/** Returns whether a client has the additional functions of this one. The client of an embedded database has not. */
export const isLean = (sql: object): sql is LeanClient => Predicate.hasProperty(sql, "runText")

/** Maximum wait for a response to a statement that may run for long, such as one of a migration. */
const longResponseTimeout = Duration.hours(6)

/** The pause between probes of a session that only receives notifications, and the maximum wait for a response. */
const probe = { interval: "10 seconds", timeout: 5_000 } as const

/** The options of a statement's span. */
const statementSpan = (text: string) => ({
  kind: "client" as const,
  captureStackTrace: false,
  attributes: { "db.system.name": "postgresql", "db.operation.name": "execute", "db.query.text": text }
})

/** The number of clients that were made. Each shares only its own connections. */
let clients = 0

const json = Statement.custom<Statement.Custom<"PgJson", unknown>>("PgJson")

/**
 * Makes a client whose every wait has an end: for a connection, a free session and the response to a statement. It does
 * the same as the client of `@effect/sql-pg` otherwise.
 */
export const makePgClient = Effect.fnUntraced(function*(
  config: PgClientConfig
): Effect.fn.Return<PgClient.PgClient & LeanClient, never, Scope.Scope | Reactivity> {
  const pool = yield* makeSessionPool(config)
  const runFork = Effect.runForkWith(yield* Effect.context())
  /** Cancels the statement of a session through another session. */
  const cancel = ({ connection: { processId } }: Session) => {
    runFork(
      Effect.ignore(
        pool.use((other) => new SessionConnection(other, rules).executeRaw("select pg_cancel_backend($1)", [processId]))
      )
    )
  }
  const rules: StatementRules = {
    statement: Duration.toMillis(config.responseTimeout),
    longStatement: Duration.toMillis(longResponseTimeout),
    onSilence: pool.destroyIdleSince,
    onReadOnly: pool.replaceAll,
    onInterrupt: cancel
  }
  const leaseConnection = (isTransaction: boolean) =>
    Effect.flatMap(pool.lease, (session) =>
      Effect.acquireRelease(
        Effect.sync(() => new SessionConnection(session, rules, { isTransaction })),
        (connection) => Effect.sync(() => connection.return())
      ))
  const withConnection = <A, E, R>(f: (connection: SessionConnection) => Effect.Effect<A, E, R>) =>
    pool.use((session) => {
      const connection = new SessionConnection(session, rules)
      return Effect.onExitPrimitive(f(connection), () => {
        connection.return()
        return undefined
      })
    })
  /** The connection that the statements of a fiber share. */
  const SharedConnection = Context.Reference<SessionConnection | undefined>(
    `@lastro/adapters-sql/database/postgres/makePgClient/SharedConnection/${clients++}`,
    { defaultValue: () => undefined }
  )
  const borrow: SqlConnection.Borrower = (f) =>
    Effect.flatMap(SharedConnection, (shared) => shared === undefined ? withConnection(f) : f(shared))

  const listen = Effect.fnUntraced(function*(
    channel: string
  ): Effect.fn.Return<Queue.Dequeue<PgConnection.Notification, SqlError.SqlError>, SqlError.SqlError, Scope.Scope> {
    const session = yield* pool.lease
    const pinned = yield* session.connection.pin
    const connection = new SessionConnection(session, rules, { connection: pinned })
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
    acquirer: leaseConnection(false),
    borrower: borrow,
    transactionAcquirer: leaseConnection(true),
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
    onOneSession: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      withConnection((connection) => Effect.provideService(effect, SharedConnection, connection)),
    runText: <Row extends object>(text: string, parameters: ReadonlyArray<unknown>) => {
      const run = (connection: SqlConnection.Connection): Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError> =>
        connection.execute(text, parameters, undefined)
      return Effect.useSpan("sql.execute", statementSpan(text), () =>
        Effect.withFiber((fiber) => {
          const transaction = Context.getOrUndefined(fiber.context, client.transactionService)
          return transaction === undefined ? borrow(run) : run(transaction[0])
        }))
    },
    json: (value: unknown) => Statement.fragment([json(value)]),
    listen,
    notify: (channel: string, payload: string) => Effect.asVoid(client`select pg_notify(${channel}, ${payload})`)
  })
})
