import { Effect } from "effect"
import { type SqlError } from "effect/sql"

const textAt = (value: unknown, field: string): string | undefined => {
  const found = typeof value === "object" && value !== null ? Reflect.get(value, field) : undefined
  return typeof found === "string" ? found : undefined
}

/** Why the database gives a statement up when others are in the way. */
export const busyReasons: ReadonlySet<string> = new Set([
  "DeadlockError",
  "SerializationError",
  "LockTimeoutError",
  "StatementTimeoutError"
])

/**
 * A statement failed for a reason that no caller is to blame for. It keeps what tells a person where to look and drops
 * the server's message and detail, which quote the rejected values, somebody's document or e-mail among them.
 */
export class DatabaseFailure extends Error {
  override readonly name = "DatabaseFailure"
  /** The kind of failure, a reason of SqlError. */
  readonly reason: SqlError.SqlErrorReason["_tag"]
  /** Whether trying again later may succeed: the database could not be reached, or gave up waiting for others. */
  readonly isTransient: boolean
  /** What a log may say of it: the whole message, because it holds no value. */
  readonly logMessage: string
  constructor({ reason }: SqlError.SqlError) {
    const told = ["code", "routine", "table", "column", "constraint"].flatMap((field) => {
      const text = textAt(reason.cause, field)
      return text === undefined ? [] : [`${field} ${text}`]
    })
    super([reason._tag, ...told].join(", "))
    this.reason = reason._tag
    this.isTransient = reason._tag === "ConnectionError" || busyReasons.has(reason._tag)
    this.logMessage = this.message
  }
}

/** Makes a failure of the database a defect, without the values it quotes. */
export const orDie = <A, R>(effect: Effect.Effect<A, SqlError.SqlError, R>): Effect.Effect<A, never, R> =>
  Effect.catch(effect, (error) => Effect.die(new DatabaseFailure(error)))
