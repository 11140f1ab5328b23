import { type PgClient } from "@effect/sql-pg"
import { endWithin } from "@lastro/domain/values"
import { Cause, Context, Deferred, Effect, Exit, Option, Result, type Scope } from "effect"
import { type SqlClient, type SqlError } from "effect/sql"
import { ConnectionFailed } from "../connection/ConnectionFailed.ts"
import { type ConnectionTarget } from "../connection/ConnectionTarget.ts"
import { toSqlError } from "../connection/describeFailure.ts"
import { compileRead } from "./BoundRead.ts"
import { type LeanClient, type ListReplica } from "./LeanClient.ts"
import { precompileStatement } from "./statements.ts"

type Client = PgClient.PgClient & LeanClient

/** Maximum wait in milliseconds for the standby to replay the commits of the primary. */
const maxWait = 50

/**
 * Maximum time in milliseconds to get a connection to the standby and to check that it is up to date. Otherwise, the
 * standby counts as unavailable. It is longer than `maxWait`, to leave time for a new connection.
 */
const maxSilence = 250

/** After the standby was found to be behind, all lists use the primary for this time in milliseconds. */
const pauseBehind = 250

/** The pause between two attempts to reach an unavailable standby. */
const retryInterval = "1 second"

/** A standby that is behind for longer than this, in milliseconds, is logged. */
const reportBehindAfter = 10_000

/** A position in the write-ahead log (WAL). */
interface Position {
  readonly lsn: string
  /** The timeline, as in the names of WAL files. It changes when a standby becomes the primary. */
  readonly timeline: string
}

/**
 * Selects the WAL position after everything that is visible on the primary. A commit becomes visible when it is
 * flushed, or earlier with `synchronous_commit=off`. Null on a standby, which has no such position.
 */
const selectPosition = (sql: SqlClient.SqlClient) =>
  compileRead({}, () =>
    sql`select case
      when pg_is_in_recovery() then null
      when current_setting('synchronous_commit') = 'off' then pg_current_wal_insert_lsn()
      else pg_current_wal_flush_lsn()
    end::text as lsn,
    case when pg_is_in_recovery() then null else substr(pg_walfile_name(pg_current_wal_flush_lsn()), 1, 8) end as timeline`)(
      {}
    )

/**
 * Selects whether the standby has replayed the WAL up to a position. False if the server has become a primary or
 * follows another timeline: after a failover, a standby on the old timeline may have changes that the new primary lost.
 * A standby reports the timeline of its last restartpoint.
 */
const selectIsCurrent = (sql: SqlClient.SqlClient) =>
  precompileStatement(sql, ["lsn", "timeline"], ({ lsn, timeline }) =>
    sql<{ readonly current: boolean }>`
      select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= ${lsn}::text::pg_lsn
        and ${timeline}::text = (select lpad(upper(to_hex(timeline_id)), 8, '0') from pg_control_checkpoint()) as current`)

/** Reads the identity of the database. Physical copies of a database have the same values. */
const readIdentity = (sql: Client) =>
  Effect.map(
    sql<{ readonly identity: string }>`
      select system_identifier::text || ' ' || (
        select oid from pg_database where datname = current_database()
      ) as identity from pg_control_system()`,
    ([row]) => row?.identity
  )

const isMismatch = ({ reason: { cause } }: SqlError.SqlError): boolean =>
  cause instanceof ConnectionFailed && cause.problem === "replica_mismatch"

/**
 * Makes the replica of a primary. A list is read from the standby only after the standby has replayed everything that
 * was visible on the primary at the time of the request. So a list contains every earlier change, by any caller on any
 * node. The hierarchy that limits the list is as new as the caller's authorization, which was checked on the primary.
 *
 * A list is read from the primary inside a transaction, and if the standby is behind, unavailable or fails.
 * `failureText` returns the text to log for a failure of the standby. Undefined: the list would fail on the primary, too.
 */
export const makeReplica = Effect.fnUntraced(function*(
  primary: Client,
  standby: Client,
  target: ConnectionTarget,
  failureText: (failure: unknown) => string | undefined
): Effect.fn.Return<ListReplica, SqlError.SqlError, Scope.Scope> {
  let isAvailable = false
  let pausedUntil = 0
  let behindSince: number | undefined
  let isReported = false

  const report = (problem: string) =>
    Effect.suspend(() => {
      if (isReported) return Effect.void
      isReported = true
      return Effect.annotateLogs(Effect.logWarning("Read replica not usable; reading lists from the primary"), {
        problem
      })
    })
  const reportUse = Effect.suspend(() => {
    behindSince = undefined
    if (!isReported) return Effect.void
    isReported = false
    return Effect.logInfo("Read replica usable again; reading lists from it")
  })
  const markBehind = Effect.suspend(() => {
    const now = performance.now()
    pausedUntil = now + pauseBehind
    behindSince ??= now
    return now - behindSince > reportBehindAfter ? report("behind the primary") : Effect.void
  })
  const markUnavailable = (failure: string) =>
    Effect.suspend(() => {
      isAvailable = false
      return report(failure)
    })

  /**
   * Checks the identity of the standby and marks the standby as available. Fails if it is a copy of another database.
   */
  const verify = Effect.gen(function*() {
    const [original, copy] = yield* Effect.all([readIdentity(primary), readIdentity(standby)], { concurrency: 2 })
    if (original !== copy) {
      return yield* Effect.fail(toSqlError(
        new ConnectionFailed(
          "replica_mismatch",
          `The database ${target.database} at ${target.address} is not a standby of the primary database. ` +
            "Correct the URL of the read replica (LASTRO_READ_DATABASE_URL)."
        )
      ))
    }
    isAvailable = true
  })
  const verifyOrReport = Effect.catch(verify, (error) => markUnavailable(failureText(error) ?? ""))

  const isCurrent = selectIsCurrent(standby)
  /** Waits until the standby has replayed the position. Returns false after `maxWait`. */
  const waitFor = Effect.fnUntraced(function*({ lsn, timeline }: Position) {
    const end = performance.now() + maxWait
    for (let delay = 1;; delay *= 2) {
      const [row] = yield* isCurrent({ lsn, timeline })
      if (row?.current === true) return true
      if (performance.now() + delay > end) return false
      yield* Effect.sleep(delay)
    }
  })

  /**
   * Runs an effect on a connection of the standby, after the standby has replayed the position. Returns none if the
   * standby is behind, and undefined if it does not respond in time. The effect itself has no time limit.
   */
  const runCurrent = <A, R>(position: Position, effect: Effect.Effect<A, never, R>) =>
    Effect.suspend(() => {
      let isStarted = false
      const run = Effect.suspend(() => {
        isStarted = true
        return Effect.asSome(effect)
      })
      const reading = standby.onOneConnection(
        Effect.flatMap(waitFor(position), (isCurrent) => isCurrent ? run : Effect.succeedNone)
      )
      const ended = Deferred.makeUnsafe<Option.Option<A>, SqlError.SqlError>()
      return endWithin(
        Effect.onExit(reading, (exit) => Deferred.done(ended, exit)),
        maxSilence,
        Effect.suspend(() => isStarted ? Deferred.await(ended) : Effect.undefined)
      )
    })

  /**
   * Reads from the standby. Returns none if the standby is not usable. If it stops responding during the read, the
   * primary is used after the timeout of the statement.
   */
  const attempt = <A, E, R>(position: Position, read: Effect.Effect<A, E, R>): Effect.Effect<Option.Option<A>, E, R> =>
    Effect.gen(function*() {
      const outcome = yield* Effect.result(runCurrent(position, Effect.exit(read)))
      if (Result.isFailure(outcome)) {
        return yield* Effect.as(markUnavailable(failureText(outcome.failure) ?? ""), Option.none())
      }
      if (outcome.success === undefined) {
        return yield* Effect.as(markUnavailable(`no response within ${maxSilence} ms`), Option.none())
      }
      if (Option.isNone(outcome.success)) return yield* Effect.as(markBehind, Option.none())
      const exit = outcome.success.value
      const failure = Exit.isFailure(exit) ? failureText(Cause.squash(exit.cause)) : undefined
      if (failure !== undefined) return yield* Effect.as(markUnavailable(failure), Option.none())
      yield* reportUse
      return Option.some(yield* exit)
    })

  yield* Effect.catchIf(verify, (error) => !isMismatch(error), (error) => markUnavailable(failureText(error) ?? ""))
  yield* Effect.suspend(() => isAvailable ? Effect.void : verifyOrReport).pipe(
    Effect.delay(retryInterval),
    Effect.forever,
    Effect.forkScoped
  )
  const currentPosition = selectPosition(primary)
  return {
    sql: standby,
    read: (onReplica, onPrimary) =>
      Effect.withFiber((fiber) => {
        const isInTransaction = Context.getOrUndefined(fiber.context, primary.transactionService) !== undefined
        if (isInTransaction || !isAvailable || performance.now() < pausedUntil) return onPrimary
        // The lane sends this read together with that of the caller.
        const readPosition = primary.runBound<Position | { readonly lsn: null }>(currentPosition)
        return Effect.flatMap(Effect.option(readPosition), (rows) => {
          const position = Option.getOrUndefined(rows)?.[0]
          return position === undefined || position.lsn === null
            ? onPrimary
            : Effect.flatMap(
              attempt(position, onReplica),
              Option.match({ onNone: () => onPrimary, onSome: Effect.succeed })
            )
        })
      })
  }
})
