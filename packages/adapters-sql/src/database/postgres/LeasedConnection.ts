import { type PgConnection } from "@effect/sql-pg"
import { type Array as Arr, Cause, Effect, Exit, Fiber, Option, Stream } from "effect"
import { type SqlConnection, SqlError } from "effect/sql"
import { type DiskSpace } from "../client/DiskSpace.ts"
import { nameStatement, sqlStateOf } from "../client/sqlErrors.ts"
import { CommitOutcomeUnknown, type ServerConnection, SilentConnection } from "./ServerConnection.ts"
import { IsSentAhead } from "./statements.ts"

/** The deadlines of statements, in milliseconds, and the reactions to failures that affect other connections. */
export interface StatementRules {
  /** Maximum wait for a response to a statement. */
  readonly statement: number
  /** Maximum wait for a response in a connection that changed its `statement_timeout`. */
  readonly longStatement: number
  /** Called when a statement got no response. Receives the start of the statement, in monotonic milliseconds. */
  readonly onSilence: (start: number) => void
  /**
   * Called when a statement failed because its connection is read-only. The other connections are probably read-only
   * too.
   */
  readonly onReadOnly: () => void
  /** Notes statements that fail because the disk is full. */
  readonly diskSpace: DiskSpace
  /** Called when a statement was interrupted that may be canceled. The server is still running the statement. */
  readonly onInterrupt: (server: ServerConnection) => void
}

/** The SQLSTATE of a write in a read-only connection, for example on a standby after a failover. */
const readOnlyState = "25006"

/** Returns whether the connection has ended: it is lost, a transaction was idle, or the server stops. */
const endsConnection = (error: SqlError.SqlError): boolean => {
  const state = sqlStateOf(error)
  return error.reason._tag === "ConnectionError" || state === "25P03" || state?.startsWith("57P") === true
}

/** The beginning of a statement that only reads or locks. */
const isSelect = /^\s*select\b/i

const commitIsLocal = Effect.suspend(() => {
  const cause = new CommitOutcomeUnknown("The wait for the synchronous standby was canceled")
  return Effect.fail(
    new SqlError.SqlError({ reason: new SqlError.UnknownError({ cause, message: cause.message, operation: "commit" }) })
  )
})

const hasSucceeded = (fiber: Fiber.Fiber<unknown, unknown>): boolean => {
  const exit = fiber.pollUnsafe()
  return exit !== undefined && Exit.isSuccess(exit)
}

const hasFailed = (fiber: Fiber.Fiber<unknown, unknown>): boolean => {
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
 * Runs the statements of one lease of a connection. Each statement has a deadline, because the server's
 * `statement_timeout` does not apply while the network is silent. A statement without a response in time destroys the
 * connection.
 *
 * In a transaction, `BEGIN`, `SAVEPOINT` and the statements of {@link IsSentAhead} are sent without waiting for their
 * responses. If one of them fails, the next statement fails with the same error, and so does the commit.
 */
export class LeasedConnection implements SqlConnection.Connection {
  readonly server: ServerConnection
  readonly #connection: PgConnection.PgConnection
  readonly #rules: StatementRules
  readonly #isTransaction: boolean
  /** The statements that were sent ahead. */
  #ahead: Array<Fiber.Fiber<unknown, SqlError.SqlError>> = []
  #isReturned = false
  /** True once a response has shown that the transaction was begun. */
  #isBegun = false
  /** True after a statement that mentions `statement_timeout`, which only long-running commands do. */
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

  /** Ends the lease. The pool does not lend the connection again if a statement is still in progress. */
  return(): void {
    this.#isReturned = true
    if (this.#ahead.some((fiber) => fiber.pollUnsafe() === undefined)) this.server.isSpent = true
  }

  /**
   * Runs a statement under its deadline. If the statement is interrupted, the connection is not used again, because the
   * cancel request may arrive late.
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
    if (error === undefined || endsConnection(error)) this.server.isSpent = true
    if (error === undefined) {
      if (this.#mayCancel(sql)) this.#rules.onInterrupt(this.server)
      return
    }
    this.#rules.diskSpace.note(error)
    // A port of the host that uses the client also gets the name.
    nameStatement(error, sql)
    if (sqlStateOf(error) === readOnlyState) {
      this.server.isSpent = true
      this.#rules.onReadOnly()
    }
  }

  /** Waits for the statements that were sent ahead. Fails with the first of their failures. */
  readonly #settle: Effect.Effect<void, SqlError.SqlError> = Effect.suspend(() => {
    // Most of the responses have arrived already.
    const sent = this.#ahead.filter((fiber) => !hasSucceeded(fiber))
    this.#ahead = []
    return sent.length === 0 ? Effect.void : Effect.forEach(sent, Fiber.join, { discard: true })
  })

  #sendAhead(statement: Effect.Effect<unknown, SqlError.SqlError>): Effect.Effect<void> {
    return Effect.map(Effect.forkDetach(statement, { startImmediately: true }), (fiber) => {
      this.#ahead.push(fiber)
    })
  }

  /** Waits for the response to a statement. The responses to the statements that were sent ahead arrive before it. */
  #await<A>(statement: Effect.Effect<A, SqlError.SqlError>): Effect.Effect<A, SqlError.SqlError> {
    return Effect.suspend(() => {
      if (this.#ahead.length === 0) return statement
      // If an earlier statement has failed, do not send this one. An earlier statement that could not be encoded was
      // never sent, so PostgreSQL would commit without it.
      if (this.#ahead.some(hasFailed)) return Effect.andThen(this.#settle, statement)
      return Effect.flatMap(Effect.exit(statement), (exit) => Effect.andThen(this.#settle, exit))
    })
  }

  /**
   * Returns true if the statement may be sent before the response to `BEGIN` has arrived. If `BEGIN` failed, each
   * statement after it would commit on its own. Only statements that read or lock are harmless in that case.
   */
  #mayFollow(sql: string): boolean {
    return this.#isBegun || isSelect.test(sql)
  }

  readonly #settleBegin: Effect.Effect<void, SqlError.SqlError> = Effect.suspend(() =>
    Effect.map(this.#settle, () => {
      this.#isBegun = true
    })
  )

  /**
   * Returns whether a statement may be canceled. A cancel request during a commit ends its wait for the synchronous
   * standby: other sessions would see the changes, and a failover could lose them. So a statement that commits is left
   * to its timeouts on the server: `COMMIT`, and outside of a transaction each statement that may write.
   */
  #mayCancel(sql: string): boolean {
    return this.#isTransaction ? sql !== "COMMIT" : isSelect.test(sql)
  }

  #query(sql: string, params: ReadonlyArray<unknown>, prepare = true) {
    const guarded = this.guard(this.#connection.query(sql, params, prepare), undefined, sql)
    // This statement changes the timeout, so the statements after it may run for long.
    if (sql.includes("statement_timeout")) this.#runsLong = true
    return guarded
  }

  #values(sql: string, params: ReadonlyArray<unknown>, prepare: boolean) {
    return this.#await(this.guard(this.#connection.queryValues(sql, params, prepare), undefined, sql))
  }

  #rows(sql: string, params: ReadonlyArray<unknown>, transform: Transform, prepare: boolean) {
    const isBegin = this.#isTransaction && sql === "BEGIN"
    // Do not prepare BEGIN: if the server had lost the prepared statement, the client would repeat BEGIN after the
    // statements that were sent behind it.
    const statement = this.#query(sql, params, prepare && !isBegin)
    const awaited = Effect.map(
      this.#await(statement),
      ({ rows }): Rows => {
        this.#isBegun = this.#isTransaction
        return transform === undefined ? rows : transform(rows)
      }
    )
    if (!this.#isTransaction) return awaited
    // After a rollback, it does not matter which of the statements failed.
    if (sql.startsWith("ROLLBACK")) return Effect.andThen(Effect.ignore(this.#settle), awaited)
    return Effect.flatMap(IsSentAhead, (isSentAhead): Effect.Effect<Rows, SqlError.SqlError> => {
      if (isBegin) return Effect.as(this.#sendAhead(statement), [])
      const isAhead = isSentAhead || sql.startsWith("SAVEPOINT")
      const run = isAhead ? Effect.as(this.#sendAhead(statement), []) : awaited
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

  /** Streams rows without a deadline, because the consumer determines the pace. */
  executeStream(sql: string, params: ReadonlyArray<unknown>, transform: Transform) {
    // A stream that ends early sends a cancel request, which may arrive late.
    this.server.isSpent = true
    const rows = this.#connection.stream(sql, params)
    return transform === undefined
      ? rows
      : Stream.mapArray(rows, (chunk) => transform(chunk) as Arr.NonEmptyReadonlyArray<PgConnection.Row>)
  }
}
