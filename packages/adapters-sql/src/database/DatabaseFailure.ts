import { Busy } from "@lastro/domain/transaction"
import { Cause, Effect } from "effect"
import { SqlError } from "effect/sql"

type Reason = SqlError.SqlErrorReason["_tag"]

/** The reasons of an `SqlError` that indicate contention with another transaction. */
const contentionReasons: ReadonlySet<string> = new Set<Reason>([
  "DeadlockError",
  "SerializationError",
  "LockTimeoutError",
  "StatementTimeoutError"
])

/** The fields of a PostgreSQL error that never contain a stored value. */
const safeFields = ["code", "routine", "table", "column", "constraint"] as const

const readText = (value: unknown, field: string): string | undefined => {
  const text = typeof value === "object" && value !== null ? Reflect.get(value, field) : undefined
  return typeof text === "string" ? text : undefined
}

/**
 * A statement failed for a reason other than the caller's input. The message contains the SQLSTATE and the location of
 * the failure. It omits the server's message and detail, because they quote rejected values, which may be personal
 * data.
 */
export class DatabaseFailure extends Error {
  override readonly name = "DatabaseFailure"
  /** The reason of the `SqlError`. */
  readonly reason: Reason
  /** True if a retry may succeed: the database was unreachable, or the statement conflicted with another one. */
  readonly isTransient: boolean
  /** The text to log. It is the same as `message`, which never contains stored data. */
  readonly logMessage: string
  constructor({ reason }: SqlError.SqlError) {
    const details = safeFields.flatMap((field) => {
      const text = readText(reason.cause, field)
      return text === undefined ? [] : [`${field} ${text}`]
    })
    super([reason._tag, ...details].join(", "))
    this.reason = reason._tag
    this.isTransient = reason._tag === "ConnectionError" || contentionReasons.has(reason._tag)
    this.logMessage = this.message
  }
}

/** Turns an `SqlError` into a {@link DatabaseFailure} defect, which contains no stored values. */
export const orDie = <A, R>(effect: Effect.Effect<A, SqlError.SqlError, R>): Effect.Effect<A, never, R> =>
  Effect.catch(effect, (error) => Effect.die(new DatabaseFailure(error)))

const retryAfterSeconds = 1

const isContention = (part: Cause.Reason<unknown>): boolean => {
  const value = Cause.isFailReason(part) ? part.error : Cause.isDieReason(part) ? part.defect : undefined
  if (SqlError.isSqlError(value)) return contentionReasons.has(value.reason._tag)
  return value instanceof DatabaseFailure && contentionReasons.has(value.reason)
}

/**
 * Fails with `Busy` on a deadlock, a serialization conflict, a lock timeout or a statement timeout, whether the error
 * is a failure or a defect. Turns every other `SqlError` into a defect.
 */
export const mapContentionToBusy = <A, E, R>(
  effect: Effect.Effect<A, E | SqlError.SqlError, R>
): Effect.Effect<A, Exclude<E, SqlError.SqlError> | Busy, R> =>
  Effect.catchCause(
    effect,
    (cause): Effect.Effect<never, Exclude<E, SqlError.SqlError> | Busy> =>
      cause.reasons.some(isContention)
        ? Effect.fail(new Busy({ retry_after_seconds: retryAfterSeconds }))
        : Effect.failCause(Cause.fromReasons(cause.reasons.map((part) =>
          Cause.isFailReason(part) && SqlError.isSqlError(part.error)
            ? Cause.makeDieReason(new DatabaseFailure(part.error)).annotate(Cause.reasonAnnotations(part))
            : part as Cause.Reason<Exclude<E, SqlError.SqlError>>
        )))
  )
