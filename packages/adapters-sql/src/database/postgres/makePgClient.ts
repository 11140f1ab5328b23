import { PgClient, type PgConnection } from "@effect/sql-pg"
import { type DatabaseClient, makeTurns, type TakeTurn } from "@lastro/domain/ports"
import { Context, Duration, Effect, Fiber, type Queue, Scope } from "effect"
import { type Reactivity } from "effect/reactivity/Reactivity"
import { SqlClient, type SqlConnection, SqlError, Statement } from "effect/sql"
import { ClientConnection, CurrentClient } from "../client/ClientConnection.ts"
import { type ClientSettings, selectSettings } from "../client/ClientSettings.ts"
import { DiskSpace } from "../client/DiskSpace.ts"
import { toSqlError } from "../client/sqlErrors.ts"
import { isRead } from "./BoundRead.ts"
import { commit } from "./commit.ts"
import { type ConnectionPoolConfig, makeConnectionPool } from "./ConnectionPool.ts"
import { Lane } from "./Lane.ts"
import { type BoundStatement, type LeanClient } from "./LeanClient.ts"
import { LeasedConnection, type StatementRules } from "./LeasedConnection.ts"
import { type ServerConnection } from "./ServerConnection.ts"

/** Maximum wait for the response to a statement that may take long, such as one of a migration. */
const longResponseTimeout = Duration.hours(6)

/**
 * Probes of a connection that only receives notifications: the pause between two of them, and the maximum wait for a
 * response in milliseconds.
 */
const probe = { interval: "10 seconds", timeout: 5_000 } as const

/** Returns whether a tracer or the host application can see the statements of a fiber. */
const isSeen = (fiber: Fiber.Fiber<unknown, unknown>): boolean =>
  fiber.cache.tracer !== undefined || fiber.getRef(Statement.CurrentTransformer) !== undefined

/** The options of a statement's span. */
const statementSpan = (text: string) => ({
  kind: "client" as const,
  captureStackTrace: false,
  attributes: { "db.system.name": "postgresql", "db.operation.name": "execute", "db.query.text": text }
})

/**
 * A queue per client of the host. Calls on one client run one at a time, because its savepoints must be nested.
 */
const queues = new WeakMap<DatabaseClient, TakeTurn>()

const queueOf = (client: DatabaseClient): TakeTurn => {
  const unlimited = Number.POSITIVE_INFINITY
  const queue = queues.get(client) ??
    makeTurns({ concurrent: 1, perKey: unlimited, waiting: unlimited }, Duration.infinity)
  queues.set(client, queue)
  return queue
}

/**
 * Runs an effect when the earlier calls on a client have ended. Fails with `Busy` after `maxWait`, before anything
 * changes. Otherwise, callbacks that use each other's clients could wait forever.
 */
const oneAtATime = (client: DatabaseClient, maxWait: Duration.Duration) => {
  const take = queueOf(client)({ key: "" })
  const inUse = Effect.fail(
    new SqlError.SqlError({
      reason: new SqlError.LockTimeoutError({
        cause: new Error("another call on the client of the host"),
        message: `The client of the host stayed in use for ${Duration.format(maxWait)}`,
        operation: "acquire"
      })
    })
  )
  return <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.acquireUseRelease(
      Scope.make(),
      (turn) => {
        const taken = Effect.catch(Scope.provide(take, turn), () => inUse)
        return Effect.andThen(Effect.timeoutOrElse(taken, { duration: maxWait, orElse: () => inUse }), effect)
      },
      (turn, exit) => Scope.close(turn, exit)
    )
}

const json = Statement.custom<Statement.Custom<"PgJson", unknown>>("PgJson")

/**
 * Makes a client that behaves like that of `@effect/sql-pg`, except that every wait has an end: for a new connection,
 * for a free one and for a response.
 */
export const makePgClient = Effect.fnUntraced(function*(
  config: ConnectionPoolConfig
): Effect.fn.Return<PgClient.PgClient & LeanClient, never, Scope.Scope | Reactivity> {
  const pool = yield* makeConnectionPool(config)
  const diskSpace = new DiskSpace()
  const runFork = Effect.runForkWith(yield* Effect.context())
  /** Cancels the statement of a connection, through another connection. */
  const cancel = (server: ServerConnection) => {
    const { processId } = server
    runFork(
      Effect.ignore(
        pool.use((free) =>
          // The connection has ended. Its process id may belong to another one by now.
          server.isClosed
            ? Effect.void
            : new LeasedConnection(free, rules).executeRaw("select pg_cancel_backend($1)", [processId])
        )
      )
    )
  }
  const rules: StatementRules = {
    statement: Duration.toMillis(config.responseTimeout),
    longStatement: Duration.toMillis(longResponseTimeout),
    onSilence: pool.destroyIdleSince,
    onReadOnly: pool.replaceEverywhere,
    diskSpace,
    onInterrupt: cancel
  }
  const leaseConnection = (isTransaction: boolean) =>
    Effect.flatMap(pool.lease, (server) =>
      Effect.acquireRelease(
        Effect.sync(() => new LeasedConnection(server, rules, { isTransaction })),
        (connection) => Effect.sync(() => connection.return())
      ))
  const withConnection = <A, E, R>(f: (connection: LeasedConnection) => Effect.Effect<A, E, R>) =>
    pool.use((server) => {
      const connection = new LeasedConnection(server, rules)
      return Effect.onExitPrimitive(f(connection), () => {
        connection.return()
        return undefined
      })
    })
  const listen = Effect.fnUntraced(function*(
    channel: string
  ): Effect.fn.Return<Queue.Dequeue<PgConnection.Notification, SqlError.SqlError>, SqlError.SqlError, Scope.Scope> {
    const server = yield* pool.lease
    const pinned = yield* server.pg.pin
    const connection = new LeasedConnection(server, rules, { connection: pinned })
    const notifications = yield* connection.guard(pinned.listen(channel))
    // Finalizers run in reverse order. So this one destroys the socket before the client would wait for the response to
    // UNLISTEN.
    yield* Effect.addFinalizer(() => Effect.sync(() => server.destroy(new Error("The listener ends"))))
    // A listening connection sends nothing, so only a probe detects a silent network. Without a response, the
    // connection is destroyed and the queue fails. A spent connection is destroyed, too, because its server may have
    // become read-only.
    yield* connection.guard(Effect.asVoid(pinned.query("select 1")), probe.timeout).pipe(
      Effect.andThen(Effect.sync(() => server.isSpent && server.destroy(new Error("The server is replaced")))),
      Effect.delay(probe.interval),
      Effect.forever,
      Effect.catchCause(() => Effect.sync(() => server.destroy(new Error("The listener does not respond")))),
      Effect.forkScoped
    )
    return notifications
  })

  const client = yield* SqlClient.make({
    acquirer: leaseConnection(false),
    borrower: withConnection,
    transactionAcquirer: Effect.flatMap(
      CurrentClient,
      (ofHost): SqlConnection.Acquirer => ofHost === undefined ? leaseConnection(true) : Effect.succeed(ofHost)
    ),
    compiler: PgClient.makeCompiler(),
    driver: "pg",
    prepareTransactionControls: true,
    commit: (connection) => connection instanceof ClientConnection ? connection.commit : commit(connection),
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    // A closed connection has no transaction to roll back. With false, the caller gets the failure of the connection,
    // and not that of a rollback.
    isTransaction: (connection) =>
      connection instanceof ClientConnection
        ? !connection.isSilent
        : !(connection instanceof LeasedConnection && connection.server.isClosed),
    spanAttributes: [["db.system.name", "postgresql"]]
  })
  const lane = new Lane(withConnection, runFork)
  const runBound = <Row extends object>(statement: BoundStatement, isPrepared = true) => {
    type Rows = Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError>
    const run = (connection: SqlConnection.Connection, { parameters, text }: BoundStatement) =>
      (isPrepared
        ? connection.execute(text, parameters, undefined)
        : connection.executeUnprepared(text, parameters, undefined)) as Rows
    const execute = (fiber: Fiber.Fiber<unknown, unknown>): Rows => {
      if (fiber.getRef(Statement.CurrentTransformer) !== undefined) {
        // Build the statement in the usual way, so that the host application can see it.
        const built = client.unsafe<Row>(statement.text, statement.parameters)
        return isPrepared ? built : built.unprepared
      }
      const transaction = Context.getOrUndefined(fiber.context, client.transactionService)
      if (transaction !== undefined) return run(transaction[0], statement)
      return isRead(statement)
        ? lane.run(statement) as Rows
        : withConnection((connection) => run(connection, statement))
    }
    return Effect.withFiber((fiber): Rows =>
      // Without a tracer, a span has no use.
      fiber.cache.tracer === undefined
        ? execute(fiber)
        : Effect.useSpan("sql.execute", statementSpan(statement.text), () => execute(fiber))
    )
  }

  let ownSettings: ClientSettings | undefined
  /** Returns the settings of a connection of this client. Reads them at the first call, or if `isRepeated` is true. */
  const readOwn = (isRepeated: boolean) =>
    ownSettings === undefined || isRepeated
      ? Effect.map(
        withConnection((connection) => connection.execute(selectSettings, [], undefined)),
        ([row]) => ownSettings = row as ClientSettings
      )
      : Effect.succeed(ownSettings)
  const within = (hostClient: DatabaseClient) => {
    const connection = new ClientConnection(hostClient, readOwn, rules.statement, diskSpace)
    const takeTurn = oneAtATime(hostClient, config.poolTimeout)
    return {
      runInSavepoint: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
        client.withTransaction(Effect.provideService(effect, CurrentClient, undefined)).pipe(
          Effect.provideService(SqlClient.BeginTransaction, undefined),
          Effect.provideService(CurrentClient, connection),
          takeTurn
        ),
      runForHost: (text: string, values: ReadonlyArray<unknown>) =>
        takeTurn(Effect.tryPromise({
          try: () => hostClient.query({ text, values: [...values] }),
          catch: (cause) => diskSpace.note(toSqlError(cause))
        }))
    }
  }

  return Object.assign(client, {
    within,
    diskSpace,
    replica: undefined,
    onOneConnection: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      withConnection((connection) => Effect.provideService(effect, client.transactionService, [connection, 0])),
    [PgClient.TypeId]: PgClient.TypeId,
    config,
    runBound,
    runWith: <Row extends object, A, E, R>(first: BoundStatement, effect: Effect.Effect<A, E, R>) =>
      Effect.withFiber((fiber): Effect.Effect<readonly [Row | null, A], E | SqlError.SqlError, R> => {
        const isInTransaction = Context.getOrUndefined(fiber.context, client.transactionService) !== undefined
        if (!isInTransaction && isRead(first) && !isSeen(fiber)) return lane.runWith(first, effect)
        const readRow = Effect.map(runBound<Row>(first), ([row]) => row ?? null)
        // The statements of a transaction run one at a time.
        if (isInTransaction) return Effect.zip(readRow, effect)
        return Effect.flatMap(
          Effect.forkChild(readRow, { startImmediately: true }),
          (reading) =>
            Effect.flatMap(effect, (result) => Effect.map(Fiber.join(reading), (row) => [row, result] as const))
        )
      }),
    json: (value: unknown) => Statement.fragment([json(value)]),
    listen,
    notify: (channel: string, payload: string) => Effect.asVoid(client`select pg_notify(${channel}, ${payload})`)
  })
})
