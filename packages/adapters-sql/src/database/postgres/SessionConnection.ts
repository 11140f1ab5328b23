import { type PgConnection } from "@effect/sql-pg"
import { type Array as Arr, Cause, Effect, Exit, Option, Stream } from "effect"
import { type SqlConnection, type SqlError } from "effect/sql"
import { type Session, SilentConnection } from "./Session.ts"
import { sqlStateOf } from "./sqlState.ts"

/** The deadlines of statements, in milliseconds, and the reactions to failures that affect other sessions. */
export interface StatementRules {
  /** Maximum wait for a response to a statement. */
  readonly statement: number
  /** Maximum wait for a response in a session that changed its `statement_timeout`. */
  readonly longStatement: number
  /** Called with the start of a statement that got no response, in monotonic milliseconds. */
  readonly onSilence: (start: number) => void
  /** Called after a statement failed because its session is read-only. The other sessions are probably read-only too. */
  readonly onReadOnly: () => void
}

/** The SQLSTATE of a write in a read-only session, for example on a standby after a failover. */
const readOnlyState = "25006"

/** Returns whether the server ends the session: the connection is lost, a transaction was idle, or the server stops. */
const endsSession = (error: SqlError.SqlError): boolean => {
  const state = sqlStateOf(error)
  return error.reason._tag === "ConnectionError" || state === "25P03" || state?.startsWith("57P") === true
}

type Rows = ReadonlyArray<object>
type Transform = (<A extends object>(rows: ReadonlyArray<A>) => ReadonlyArray<A>) | undefined

/**
 * Runs the statements of one lease of a session. Each statement has a deadline, because the server's `statement_timeout`
 * does not apply while the network is silent. A statement without a response in time destroys the session.
 */
export class SessionConnection implements SqlConnection.Connection {
  readonly session: Session
  readonly #connection: PgConnection.PgConnection
  readonly #rules: StatementRules
  /** True after a statement that mentions `statement_timeout`, which only long-running commands do. */
  #runsLong = false

  constructor(session: Session, connection: PgConnection.PgConnection, rules: StatementRules) {
    this.session = session
    this.#connection = connection
    this.#rules = rules
  }

  /** Runs a statement under its deadline. An interrupted one spends the session, because its cancel request may arrive late. */
  guard<A, R>(
    statement: Effect.Effect<A, SqlError.SqlError, R>,
    milliseconds: number = this.#runsLong ? this.#rules.longStatement : this.#rules.statement
  ): Effect.Effect<A, SqlError.SqlError, R> {
    return Effect.suspend(() => {
      const start = performance.now()
      const timer = setTimeout(() => {
        this.session.destroy(new SilentConnection(milliseconds))
        this.#rules.onSilence(start)
      }, milliseconds)
      return Effect.onExitPrimitive(statement, (exit) => {
        clearTimeout(timer)
        this.#observe(exit)
        return undefined
      })
    })
  }

  #observe(exit: Exit.Exit<unknown, SqlError.SqlError>): void {
    if (Exit.isFailure(exit)) {
      const error = Option.getOrUndefined(Cause.findErrorOption(exit.cause))
      if (error === undefined || endsSession(error)) this.session.isSpent = true
      else if (sqlStateOf(error) === readOnlyState) this.#rules.onReadOnly()
    }
    if (!this.session.isClosed) this.session.lastResponse = performance.now()
  }

  #query(
    sql: string,
    params: ReadonlyArray<unknown>,
    prepare = true
  ): Effect.Effect<PgConnection.Result, SqlError.SqlError> {
    const guarded = this.guard(this.#connection.query(sql, params, prepare))
    // The statements after this one may run for long.
    if (sql.includes("statement_timeout")) this.#runsLong = true
    return guarded
  }

  #values(sql: string, params: ReadonlyArray<unknown>, prepare: boolean) {
    return this.guard(this.#connection.queryValues(sql, params, prepare))
  }

  execute(sql: string, params: ReadonlyArray<unknown>, transform: Transform) {
    return Effect.map(this.#query(sql, params), ({ rows }): Rows => transform === undefined ? rows : transform(rows))
  }

  executeUnprepared(sql: string, params: ReadonlyArray<unknown>, transform: Transform) {
    return Effect.map(
      this.#query(sql, params, false),
      ({ rows }): Rows => transform === undefined ? rows : transform(rows)
    )
  }

  executeRaw(sql: string, params: ReadonlyArray<unknown>) {
    return this.#query(sql, params)
  }

  executeValues(sql: string, params: ReadonlyArray<unknown>) {
    return this.#values(sql, params, true)
  }

  executeValuesUnprepared(sql: string, params: ReadonlyArray<unknown>) {
    return this.#values(sql, params, false)
  }

  /** Streams rows without a deadline, because the consumer determines the pace. */
  executeStream(sql: string, params: ReadonlyArray<unknown>, transform: Transform) {
    const rows = this.#connection.stream(sql, params)
    return transform === undefined
      ? rows
      : Stream.mapArray(rows, (chunk) => transform(chunk) as Arr.NonEmptyReadonlyArray<PgConnection.Row>)
  }
}
