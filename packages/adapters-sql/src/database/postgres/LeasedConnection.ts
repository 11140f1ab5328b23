import { type PgConnection } from "@effect/sql-pg"
import { type Array as Arr, Cause, Effect, Exit, Fiber, Option, Stream } from "effect"
import { type SqlConnection, SqlError } from "effect/sql"
import { type DiskSpace } from "../client/DiskSpace.ts"
import { nameStatement, sqlStateOf } from "../client/sqlErrors.ts"
import { CommitOutcomeUnknown, type ServerConnection, SilentConnection } from "./ServerConnection.ts"
import { IsSentAhead } from "./statements.ts"

/** The timeouts of statements, in milliseconds, and the callbacks for failures that affect other connections. */
export interface StatementRules {
  /** Maximum wait for a response to a statement. */
  readonly statement: number
  /** Maximum wait for a response on a connection that changed its `statement_timeout`. */
  readonly longStatement: number
  /**
   * Called when a statement got no response. Receives the time at which the statement was sent, in monotonic
   * milliseconds.
   */
  readonly onSilence: (start: number) => void
  /** Called when a statement failed because its connection is read-only. The other connections probably are, too. */
  readonly onReadOnly: () => void
  /** Records statements that fail because the disk is full. */
  readonly diskSpace: DiskSpace
  /** Called when a cancelable statement was interrupted. The server is still running the statement. */
  readonly onInterrupt: (server: ServerConnection) => void
}

/** The SQLSTATE of a write on a read-only connection, for example on a standby after a failover. */
const readOnlyState = "25006"

/** The SQLSTATE of a prepared statement that the session does not have. */
const lostState = "26000"

/**
 * Returns whether an error means that the connection has ended: it was lost, its transaction was idle for too long, or
 * the server is stopping.
 */
const endsConnection = (error: SqlError.SqlError): boolean => {
  const state = sqlStateOf(error)
  return error.reason._tag === "ConnectionError" || state === "25P03" || state?.startsWith("57P") === true
}

/** The start of a statement that only reads or locks rows. */
const selectPattern = /^\s*select\b/i

export const failCommit = (cause: Error): Effect.Effect<never, SqlError.SqlError> =>
  Effect.fail(
    new SqlError.SqlError({ reason: new SqlError.UnknownError({ cause, message: cause.message, operation: "commit" }) })
  )

const commitIsLocal = Effect.suspend(() =>
  failCommit(new CommitOutcomeUnknown("The wait for the synchronous standby was canceled"))
)

/** A statement that was sent without waiting for its response. */
interface SentStatement {
  readonly sql: string
  readonly fiber: Fiber.Fiber<unknown, SqlError.SqlError>
}

const hasSucceeded = ({ fiber }: SentStatement): boolean => {
  const exit = fiber.pollUnsafe()
  return exit !== undefined && Exit.isSuccess(exit)
}

const hasFailed = ({ fiber }: SentStatement): boolean => {
  const exit = fiber.pollUnsafe()
  return exit !== undefined && Exit.isFailure(exit)
}

type Rows = ReadonlyArray<object>
type Transform = (<A extends object>(rows: ReadonlyArray<A>) => ReadonlyArray<A>) | undefined

const leaseEnded = Effect.fail(
  new SqlError.SqlError({
    reason: new SqlError.ConnectionError({
      cause: Object.assign(new Error("The connection was returned"), { name: "ConnectionReturned" }),
      message: "A statement was started on a connection that was returned",
      operation: "query"
    })
  })
)

/**
 * Runs statements on a connection that was borrowed from the pool. Each statement has its own timeout, because the
 * server's `statement_timeout` does not help while the network is silent. A statement without a response in time
 * destroys the connection.
 *
 * In a transaction, `BEGIN`, `SAVEPOINT` and statements with {@link IsSentAhead} are sent without waiting for their
 * responses. If one of them fails, the next statement and the commit fail with the same error.
 */
export class LeasedConnection implements SqlConnection.Connection {
  readonly server: ServerConnection
  readonly #connection: PgConnection.PgConnection
  readonly #rules: StatementRules
  readonly #isTransaction: boolean
  #ahead: Array<SentStatement> = []
  #isReturned = false
  /** True after a response that shows that the transaction has begun. */
  #isBegun = false
  /** True after a statement that contains `statement_timeout`. Only long-running commands change it. */
  #runsLong = false

  constructor(
    server: ServerConnection,
    rules: StatementRules,
    { connection = server.pg, isTransaction = false }: {
      readonly connection?: PgConnection.PgConnection
      readonly isTransaction?: boolean
    } = {}
  ) {
    this.server = server
    this.#connection = connection
    this.#rules = rules
    this.#isTransaction = isTransaction
  }

  /** Returns the connection. The pool does not lend it again if a statement is still running. */
  return(): void {
    this.#isReturned = true
    if (this.#ahead.some(({ fiber }) => fiber.pollUnsafe() === undefined)) this.server.isSpent = true
  }

  /**
   * Runs a statement with its timeout. If the statement is interrupted, the connection is not used again, because the
   * cancel request may reach a later statement.
   */
  guard<A, R>(
    statement: Effect.Effect<A, SqlError.SqlError, R>,
    milliseconds: number = this.#runsLong ? this.#rules.longStatement : this.#rules.statement,
    sql = ""
  ): Effect.Effect<A, SqlError.SqlError, R> {
    return Effect.suspend(() => {
      if (this.#isReturned) return leaseEnded
      const start = performance.now()
      this.server.statementSent(start)
      const timer = setTimeout(() => {
        this.server.destroy(new SilentConnection(milliseconds))
        this.#rules.onSilence(start)
      }, milliseconds)
      return Effect.onExitPrimitive(statement, (exit) => {
        clearTimeout(timer)
        if (Exit.isFailure(exit)) this.#observeFailure(exit.cause, sql)
        this.server.statementEnded()
        return this.server.takeLocalCommit() ? commitIsLocal : undefined
      })
    })
  }

  #observeFailure(cause: Cause.Cause<SqlError.SqlError>, sql: string): void {
    const error = Option.getOrUndefined(Cause.findErrorOption(cause))
    const isInterrupted = error === undefined
    if (isInterrupted || endsConnection(error)) this.server.isSpent = true
    if (isInterrupted) {
      if (this.#mayCancel(sql)) this.#rules.onInterrupt(this.server)
      return
    }
    this.#rules.diskSpace.note(error)
    // A port of the host that uses the client also gets the name.
    nameStatement(error, sql)
    if (sqlStateOf(error) === lostState) this.server.markLost()
    if (sqlStateOf(error) === readOnlyState) {
      this.server.isSpent = true
      this.#rules.onReadOnly()
    }
  }

  /** Waits for the statements that were sent ahead. Fails with their first error. */
  readonly #settle: Effect.Effect<void, SqlError.SqlError> = Effect.suspend(() => {
    // Most of the responses have arrived already.
    const sent = this.#ahead.filter((statement) => !hasSucceeded(statement))
    this.#ahead = []
    return sent.length === 0
      ? Effect.void
      : Effect.forEach(sent, ({ fiber, sql }) => this.guard(Fiber.join(fiber), undefined, sql), { discard: true })
  })

  /** Sends a statement. Its timeout starts when something waits for its response. */
  #sendAhead(sql: string, params: ReadonlyArray<unknown>, prepare: boolean): Effect.Effect<Rows, SqlError.SqlError> {
    return Effect.suspend(() => {
      if (this.#isReturned) return leaseEnded
      const statement = this.#connection.query(sql, params, prepare)
      return Effect.map(Effect.forkDetach(statement, { startImmediately: true }), (fiber) => {
        this.#ahead.push({ sql, fiber })
        return []
      })
    })
  }

  /** Waits for the response to a statement. The responses to statements sent ahead arrive before it. */
  #await<A>(statement: Effect.Effect<A, SqlError.SqlError>): Effect.Effect<A, SqlError.SqlError> {
    return Effect.suspend(() => {
      if (this.#ahead.length === 0) return statement
      // Do not send this statement after an earlier one has failed. A statement that could not be encoded was never
      // sent, so PostgreSQL would commit the transaction without it.
      if (this.#ahead.some(hasFailed)) return Effect.andThen(this.#settle, statement)
      return Effect.flatMap(Effect.exit(statement), (exit) => Effect.andThen(this.#settle, exit))
    })
  }

  /**
   * Returns whether the statement may be sent before the response to `BEGIN` has arrived. If `BEGIN` fails, each later
   * statement runs and commits alone. That is harmless only for statements that read or lock.
   */
  #mayFollow(sql: string): boolean {
    return this.#isBegun || selectPattern.test(sql)
  }

  readonly #settleBegin: Effect.Effect<void, SqlError.SqlError> = Effect.suspend(() =>
    Effect.map(this.#settle, () => {
      this.#isBegun = true
    })
  )

  /**
   * Returns whether a statement may be canceled. Statements that commit may not: `COMMIT`, and every statement outside
   * of a transaction that may write. A cancel request would end the wait for the synchronous standby. Other sessions
   * would then see the changes, and a failover could lose them. The timeouts of the server still apply.
   */
  #mayCancel(sql: string): boolean {
    return this.#isTransaction ? sql !== "COMMIT" : selectPattern.test(sql)
  }

  #query(sql: string, params: ReadonlyArray<unknown>, prepare = true) {
    const guarded = this.guard(this.#connection.query(sql, params, prepare), undefined, sql)
    // This statement changes the timeout, so later statements may take long.
    if (sql.includes("statement_timeout")) this.#runsLong = true
    return guarded
  }

  #values(sql: string, params: ReadonlyArray<unknown>, prepare: boolean) {
    return this.#await(this.guard(this.#connection.queryValues(sql, params, prepare), undefined, sql))
  }

  #rows(sql: string, params: ReadonlyArray<unknown>, transform: Transform, prepare: boolean) {
    const awaited = Effect.map(
      this.#await(this.#query(sql, params, prepare)),
      ({ rows }): Rows => {
        this.#isBegun = this.#isTransaction
        return transform === undefined ? rows : transform(rows)
      }
    )
    if (!this.#isTransaction) return awaited
    // A rollback undoes everything, so failures of earlier statements do not matter.
    if (sql.startsWith("ROLLBACK")) return Effect.andThen(Effect.ignore(this.#settle), awaited)
    return Effect.flatMap(IsSentAhead, (isSentAhead): Effect.Effect<Rows, SqlError.SqlError> => {
      // `BEGIN` is not a prepared statement. If the server had lost a prepared `BEGIN`, the client would send it again,
      // after the statements that follow it.
      if (sql === "BEGIN") return this.#sendAhead(sql, params, false)
      const isAhead = isSentAhead || sql.startsWith("SAVEPOINT")
      const run = isAhead ? this.#sendAhead(sql, params, prepare) : awaited
      return this.#mayFollow(sql) ? run : Effect.andThen(this.#settleBegin, run)
    })
  }

  execute(sql: string, params: ReadonlyArray<unknown>, transform: Transform) {
    return this.#rows(sql, params, transform, true)
  }

  executeUnprepared(sql: string, params: ReadonlyArray<unknown>, transform: Transform) {
    return this.#rows(sql, params, transform, false)
  }

  executeRaw(sql: string, params: ReadonlyArray<unknown>) {
    return this.#await(this.#query(sql, params))
  }

  executeValues(sql: string, params: ReadonlyArray<unknown>) {
    return this.#values(sql, params, true)
  }

  executeValuesUnprepared(sql: string, params: ReadonlyArray<unknown>) {
    return this.#values(sql, params, false)
  }

  /** Streams rows without a timeout, because the consumer sets the pace. */
  executeStream(sql: string, params: ReadonlyArray<unknown>, transform: Transform) {
    // A stream that ends early sends a cancel request, which may reach a later statement.
    this.server.isSpent = true
    const rows = this.#connection.stream(sql, params)
    return transform === undefined
      ? rows
      : Stream.mapArray(rows, (chunk) => transform(chunk) as Arr.NonEmptyReadonlyArray<PgConnection.Row>)
  }
}
