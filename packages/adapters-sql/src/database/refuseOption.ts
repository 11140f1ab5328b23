import { Effect } from "effect"
import { SqlError, UnknownError } from "effect/sql/SqlError"

/** Turns the error of an invalid option into an `SqlError`. It is not a `ConnectionError`, because a retry cannot succeed. */
export const refuseOption = <A, R>(effect: Effect.Effect<A, Error, R>): Effect.Effect<A, SqlError, R> =>
  Effect.mapError(
    effect,
    (cause) => new SqlError({ reason: new UnknownError({ cause, message: cause.message, operation: "connect" }) })
  )
