import { endWithin } from "@lastro/domain/values"
import { Cause, Clock, Duration, Effect, type Scope } from "effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { sqlStateOf } from "../database/client/sqlErrors.ts"
import { type NodeEntries } from "./nodeEntries.ts"
import { type NodeHealth } from "./NodeHealth.ts"

/** Milliseconds after which a node renews its entry in the list of nodes. */
export const presenceMs = 2_000

/** Reads the schema version if the server rejected a statement, because a migration may have changed its tables. */
export const readSchemaAfter = (cause: Cause.Cause<unknown>, { readSchema }: NodeEntries, health: NodeHealth) => {
  const error = Cause.squash(cause)
  if (!isSqlError(error) || sqlStateOf(error) === undefined) return Effect.void
  return Effect.ignoreCause(Effect.flatMap(withDeadline(readSchema), health.schemaRead))
}

/** Runs the last statement of a node. Waits at most two seconds, and ignores a failure. */
export const leaveWith = (statement: Effect.Effect<unknown, SqlError>): Effect.Effect<void> =>
  Effect.ignoreCause(endWithin(Effect.asVoid(statement), "2 seconds", Effect.void))

/**
 * Keeps a process that runs no jobs in the list of nodes until the scope closes. So a migration that would break the
 * process is refused. Each renewal of the entry also reads the schema version and the clock of the database. Completes
 * after the first entry.
 */
export const keepPresent = Effect.fnUntraced(function*(
  entries: NodeEntries,
  health: NodeHealth
): Effect.fn.Return<void, never, Scope.Scope> {
  const enter = Effect.gen(function*() {
    const sent_ms = yield* Clock.currentTimeMillis
    const { database_ms, schema } = yield* withDeadline(entries.enter(health.skewMs()))
    yield* health.pollSucceeded({ sent_ms, other_ms: database_ms, received_ms: yield* Clock.currentTimeMillis })
    yield* health.schemaRead(schema)
    yield* health.checkDisk(withDeadline(entries.tryDisk))
  }).pipe(
    Effect.catchCause((cause) => Effect.andThen(health.pollFailed(cause), readSchemaAfter(cause, entries, health)))
  )
  yield* Effect.addFinalizer(() => Effect.andThen(Effect.sync(health.stop), leaveWith(entries.exit)))
  yield* enter
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(presenceMs), enter)))
})

/** Maximum time of a statement about jobs and nodes, so that a lost connection does not stop the worker. */
const statementDeadline = Duration.seconds(5)

/** Ends a statement after {@link statementDeadline}, even if the connection is silent. */
export const withDeadline = <A>(
  statement: Effect.Effect<A, SqlError>
): Effect.Effect<A, SqlError | Cause.TimeoutError> =>
  endWithin(statement, statementDeadline, Effect.fail(new Cause.TimeoutError("no answer from the database within 5 s")))
