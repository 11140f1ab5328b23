import { endWithin } from "@lastro/domain/values"
import { Cause, Duration, Effect } from "effect"
import { type SqlError } from "effect/sql/SqlError"

/** Deadline of a statement about jobs and nodes. A lost connection must not stop the worker. */
const statementDeadline = Duration.seconds(5)

/** Ends a statement after its deadline, even if the connection is silent. */
export const withDeadline = <A>(
  statement: Effect.Effect<A, SqlError>
): Effect.Effect<A, SqlError | Cause.TimeoutError> =>
  endWithin(statement, statementDeadline, Effect.fail(new Cause.TimeoutError("no answer from the database within 5 s")))
