import { type PgClient } from "@effect/sql-pg"
import { type DatabaseClient } from "@lastro/domain/ports"
import { type Effect, Predicate } from "effect"
import { type SqlError } from "effect/sql"
import { type DiskSpace } from "../client/DiskSpace.ts"
import { type RunForHost } from "../client/makeRunForHost.ts"

/** The text of a statement and the values of its parameters. */
export interface BoundStatement {
  readonly text: string
  readonly parameters: ReadonlyArray<unknown>
}

/** Runs list reads on a standby that is up to date, and otherwise on the primary. */
export interface ListReplica {
  /** The client of the standby. */
  readonly sql: PgClient.PgClient & LeanClient
  /** Runs one of two effects that read the same data: `onReplica` with the client of the standby, or `onPrimary`. */
  readonly read: <A, E, R>(
    onReplica: Effect.Effect<A, E, R>,
    onPrimary: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E, R>
}

/** The functions that `makePgClient` adds to a client of `@effect/sql-pg`. */
export interface LeanClient {
  /**
   * Runs a compiled statement, without the cost of building it. It is a prepared statement unless `isPrepared` is
   * false. A read of bounded cost can share an execution with other reads (see `Lane`).
   */
  readonly runBound: <Row extends object>(
    statement: BoundStatement,
    isPrepared?: boolean
  ) => Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError>
  /**
   * Runs two effects at the same time: a statement that returns at most one row, and `effect`. Inside a transaction,
   * `effect` runs after the statement.
   */
  readonly runWith: <Row extends object, A, E, R>(
    first: BoundStatement,
    effect: Effect.Effect<A, E, R>
  ) => Effect.Effect<readonly [row: Row | null, result: A], E | SqlError.SqlError, R>
  /** Runs all statements of an effect on one connection, without a transaction. */
  readonly onOneConnection: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | SqlError.SqlError, R>
  /** The state of the database's disk: full or not. */
  readonly diskSpace: DiskSpace
  /** The standby that serves lists. Undefined if there is none. */
  readonly replica: ListReplica | undefined
  /**
   * Returns functions that use a client of the host, which has begun a transaction on it. Calls of these functions run
   * one at a time.
   */
  readonly within: (client: DatabaseClient) => {
    /** Runs an effect in a savepoint of the transaction. */
    readonly runInSavepoint: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | SqlError.SqlError, R>
    /** Runs a statement of the host outside of all savepoints of Lastro. */
    readonly runForHost: RunForHost
  }
}

/**
 * Returns whether a client has the functions of {@link LeanClient}. The client of an embedded database does not have
 * them.
 */
export const isLean = (sql: object): sql is LeanClient => Predicate.hasProperty(sql, "runBound")
