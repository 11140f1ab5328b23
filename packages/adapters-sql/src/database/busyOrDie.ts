import { Busy } from "@lastro/domain"
import { Cause, Effect } from "effect"
import { SqlError } from "effect/sql"
import { busyReasons, DatabaseFailure } from "./DatabaseFailure.ts"

/** Seconds after which trying again makes sense when others were in the way. */
const retryAfterSeconds = 1

/** Why the database failed, if that is what this part of a cause tells. */
const reasonOf = (part: Cause.Reason<unknown>): string | undefined => {
  const value = Cause.isFailReason(part) ? part.error : Cause.isDieReason(part) ? part.defect : undefined
  return SqlError.isSqlError(value) ? value.reason._tag : value instanceof DatabaseFailure ? value.reason : undefined
}

const isBusy = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some((part) => {
    const reason = reasonOf(part)
    return reason !== undefined && busyReasons.has(reason)
  })

/**
 * A deadlock, a serialization conflict and a wait that took too long, for a lock or an answer, become Busy, also where
 * they came as defects; every other failure of the database becomes a defect.
 */
export const busyOrDie = <A, E, R>(
  effect: Effect.Effect<A, E | SqlError.SqlError, R>
): Effect.Effect<A, Exclude<E, SqlError.SqlError> | Busy, R> =>
  Effect.catchCause(
    effect,
    (cause): Effect.Effect<never, Exclude<E, SqlError.SqlError> | Busy> =>
      isBusy(cause)
        ? Effect.fail(new Busy({ retry_after_seconds: retryAfterSeconds }))
        : Effect.failCause(Cause.fromReasons(cause.reasons.map((part) =>
          Cause.isFailReason(part) && SqlError.isSqlError(part.error)
            ? Cause.makeDieReason(new DatabaseFailure(part.error)).annotate(Cause.reasonAnnotations(part))
            : part as Cause.Reason<Exclude<E, SqlError.SqlError>>
        )))
  )
