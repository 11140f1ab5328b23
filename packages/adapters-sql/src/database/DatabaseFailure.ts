import { Busy } from "@lastro/domain/ports"
import { Cause, Effect } from "effect"
import { SqlError } from "effect/sql"
import { readField, sqlStateOf } from "./client/sqlErrors.ts"
import { ConnectionFailed } from "./connection/ConnectionFailed.ts"
import { TransactionAborted } from "./postgres/commit.ts"
import { CommitOutcomeUnknown } from "./postgres/ServerConnection.ts"

type Reason = SqlError.SqlErrorReason["_tag"]

/** The reasons of an `SqlError` for which a retry may succeed. */
const transientReasons: ReadonlySet<string> = new Set<Reason>([
  "ConnectionError",
  "AuthenticationError",
  "DeadlockError",
  "SerializationError",
  "LockTimeoutError",
  "StatementTimeoutError"
])

/**
 * The SQLSTATEs for which a retry may succeed.
 * - Classes: connection lost (08), transaction rolled back (40), out of disk space, memory or connections (53), server
 * stopping or starting (57P).
 * - Codes: read-only session (25006), idle transaction (25P03), lost prepared statement (26000), lock timeout (55P03),
 *   canceled statement (57014).
 */
const transientStates = /^(?:08|40|53|57P|25006|25P03|26000|55P03|57014)/

const isTransientError = (error: SqlError.SqlError): boolean =>
  transientReasons.has(error.reason._tag) || transientStates.test(sqlStateOf(error) ?? "")

/** The fields of a PostgreSQL error that never contain a stored value. */
const safeFields = ["code", "routine", "table", "column", "constraint"] as const

/**
 * Returns a list with the class name of an error, for example `SilentConnection`. Returns an empty list for a plain
 * `Error`.
 */
const nameOf = (cause: unknown): ReadonlyArray<string> => {
  const name = readField(cause, "name")
  return name === undefined || name === "Error" ? [] : [name]
}

/** Returns a list with the statement that `nameStatement` wrote into a message. Empty for any other message. */
const statementOf = (message: string): ReadonlyArray<string> => {
  const [, statement] = /^The statement failed with SQLSTATE \w+ \((.*)\)$/.exec(message) ?? []
  return statement === undefined ? [] : [`statement ${statement}`]
}

/**
 * A statement failed for a reason other than the caller's input. The message contains the SQLSTATE and the place of the
 * failure, or why no connection could be opened. It omits the server's message and detail, because they quote rejected
 * values, which may be personal data.
 */
export class DatabaseFailure extends Error {
  override readonly name = "DatabaseFailure"
  readonly reason: Reason
  /**
   * True if nothing was committed and a retry may succeed: the database was unreachable, out of resources, read-only or
   * restarting, or the statement conflicted with another one.
   */
  readonly isTransient: boolean
  /** True if the transaction may have been committed. See {@link CommitOutcomeUnknown}. */
  readonly isOutcomeUnknown: boolean
  /** The text to log. It is the same as `message`, which never contains stored data. */
  readonly logMessage: string
  constructor(error: SqlError.SqlError) {
    const { reason } = error
    const isOutcomeUnknown = reason.cause instanceof CommitOutcomeUnknown
    const details = safeFields.flatMap((field) => {
      const text = readField(reason.cause, field)
      return text === undefined ? [] : [`${field} ${text}`]
    })
    super(
      reason.cause instanceof TransactionAborted || reason.cause instanceof ConnectionFailed
        ? reason.cause.message
        : [reason._tag, ...nameOf(reason.cause), ...details, ...statementOf(reason.message)].join(", "),
      reason.cause instanceof ConnectionFailed ? { cause: reason.cause } : {}
    )
    this.reason = reason._tag
    this.isTransient = isTransientError(error)
    this.isOutcomeUnknown = isOutcomeUnknown
    this.logMessage = this.message
  }
}

/** Turns an `SqlError` into the defect {@link DatabaseFailure}, which contains no stored values. */
export const orDie = <A, R>(effect: Effect.Effect<A, SqlError.SqlError, R>): Effect.Effect<A, never, R> =>
  Effect.catch(effect, (error) => Effect.die(new DatabaseFailure(error)))

const retryAfterSeconds = 1

const valueOf = (part: Cause.Reason<unknown>): unknown => {
  if (Cause.isFailReason(part)) return part.error
  return Cause.isDieReason(part) ? part.defect : undefined
}

const failureOf = (part: Cause.Reason<unknown>): DatabaseFailure | undefined => {
  const value = valueOf(part)
  if (SqlError.isSqlError(value)) return new DatabaseFailure(value)
  return value instanceof DatabaseFailure ? value : undefined
}

/**
 * Conflicts with other statements are frequent and harmless, so they are not logged. Any other transient failure is.
 */
const contentionReasons: ReadonlySet<Reason> = new Set<Reason>([
  "DeadlockError",
  "SerializationError",
  "LockTimeoutError"
])

/** Returns whether a statement was rolled back because of a conflict with another one. A retry can succeed. */
export const isContention = ({ reason }: SqlError.SqlError): boolean => contentionReasons.has(reason._tag)

const failBusy = (failure: DatabaseFailure): Effect.Effect<never, Busy> =>
  Effect.andThen(
    contentionReasons.has(failure.reason)
      ? Effect.void
      : Effect.annotateLogs(Effect.logWarning("Transaction rolled back: database unavailable; failing with Busy"), {
        failure: failure.logMessage
      }),
    Effect.fail(new Busy({ retry_after_seconds: retryAfterSeconds }))
  )

/**
 * Fails with `Busy` if `effect` fails or dies because the database temporarily cannot run statements. Any other
 * `SqlError` becomes a defect. So does a commit with an unknown outcome.
 */
export const mapTransientToBusy = <A, E, R>(
  effect: Effect.Effect<A, E | SqlError.SqlError, R>
): Effect.Effect<A, Exclude<E, SqlError.SqlError> | Busy, R> =>
  Effect.catchCause(
    effect,
    (cause): Effect.Effect<never, Exclude<E, SqlError.SqlError> | Busy> => {
      const failures = cause.reasons.map(failureOf).filter((failure) => failure !== undefined)
      const transient = failures.find(({ isTransient }) => isTransient)
      if (transient !== undefined && !failures.some(({ isOutcomeUnknown }) => isOutcomeUnknown)) {
        return failBusy(transient)
      }
      return Effect.failCause(Cause.fromReasons(cause.reasons.map((part) => {
        const failure = failureOf(part)
        return failure === undefined
          ? part as Cause.Reason<Exclude<E, SqlError.SqlError>>
          : Cause.makeDieReason(failure).annotate(Cause.reasonAnnotations(part))
      })))
    }
  )
