import { type Duration, type Effect, Result } from "effect"
import { type DatabaseClient } from "../ports/DatabaseClient.ts"
import { type HostRows } from "../ports/HostTransactions.ts"
import { type CallerFunctions } from "./CallerFunctions.ts"
import { type CallOptions } from "./CallOptions.ts"
import { type HostFunctions } from "./HostFunctions.ts"
import { type IdentityFunctions } from "./IdentityFunctions.ts"
import { type LenderFunctions } from "./LenderFunctions.ts"
import { type OperatorFunctions } from "./OperatorFunctions.ts"
import { type PrivacyFunctions } from "./PrivacyFunctions.ts"
import { type UseCasePorts } from "./UseCasePorts.ts"
import { type WorkFunctions } from "./WorkFunctions.ts"

/**
 * The functions that every `tx` has besides its use cases. `Tx` is the type of `tx`, and `Ports` are the open ports.
 */
export interface TransactionCalls<Tx, Ports> {
  /** Runs any effect with the open ports, as part of the transaction. */
  readonly run: <A, E>(
    effect: Effect.Effect<A, E, Ports>,
    options?: CallOptions
  ) => Promise<Result.Result<A, E>>
  /**
   * Runs your own SQL on the connection of the transaction. The parameters in the text are `$1`, `$2` and so on.
   * Rejects with the error of the database. After such an error, PostgreSQL refuses every further statement, so let the
   * error end the callback. To continue after an error, run the statement in `tx.atomically`. Rejects with
   * StatementRefused if the statement begins or ends a transaction, or if the ports are in memory, where no SQL runs.
   * Several statements in one text are refused. The rows are not checked against `Row`.
   *
   * The client determines the types of the values: in `lastro.atomically` it is the client of Lastro, in
   * `lastro.within(client)` your own with its parsers. They can differ, for example, in the type of a `bigint` or the
   * form of an object parameter. So cast such values in the statement: `total::text`, `$1::text::jsonb`. In a callback,
   * a change of the `search_path` ends with the statement.
   */
  readonly query: <Row extends object = Readonly<Record<string, unknown>>>(
    text: string,
    values?: ReadonlyArray<unknown>
  ) => Promise<HostRows<Row>>
  /**
   * Runs a callback in a savepoint. If the callback throws, only the writes since the savepoint are rolled back, and
   * the promise rejects with the same error. In the callback, call only the functions of its argument. Those of the
   * outer transaction reject with CallOutsideTransaction.
   */
  readonly atomically: <A>(work: (tx: Tx) => PromiseLike<A>) => Promise<A>
}

/**
 * Every use case except `issueToken`, as part of one transaction. `issueToken` revokes a session if a refresh token is
 * used twice (AUTH-08), and a rollback would undo this. Call `lastro.issueToken` outside the transaction. `More` are
 * further services of the layer, besides the ports.
 *
 * Calls run one at a time, in the order of the calls. If a call resolves with a failure or rejects, only its own writes
 * are rolled back, and the transaction stays usable. A long poll with `wait` rejects with WaitInTransaction.
 */
export interface LastroTransaction<More = never>
  extends
    CallerFunctions,
    HostFunctions,
    Omit<IdentityFunctions, "issueToken">,
    LenderFunctions,
    OperatorFunctions,
    PrivacyFunctions,
    WorkFunctions,
    TransactionCalls<LastroTransaction<More>, UseCasePorts | More>
{}

/** Options of a transaction. The request id and the client address apply to every call without its own. */
export interface TransactionOptions extends CallOptions {
  /**
   * Maximum duration of the transaction, from its beginning to the end of the callback. Default: 10 seconds. The
   * database also ends a transaction that runs no statement for the layer's `idleInTransactionTimeout`, with the same
   * default. To wait longer between two calls, increase both.
   */
  readonly timeout?: Duration.Input | undefined
}

/** The functions that run use cases in a transaction of the host. `Tx` is the type of `tx`. */
export interface TransactionFunctions<Tx> {
  /**
   * Runs a callback in one transaction. Every call of `tx` and every statement of `tx.query` is part of the
   * transaction. Commits when the promise of the callback resolves, and resolves with its value. Rolls back everything
   * if the callback throws, and rejects with the same error. A Result with a failure that the callback only returns
   * does not roll back. {@link orThrow} throws the failure.
   *
   * Durable jobs start, notifications are sent and long polls end only at the commit. Rejects with Busy if nothing was
   * committed and a retry may succeed, with TransactionTimeout after `timeout`, and with CallNotAwaited if a call of
   * `tx` still runs when the callback ends.
   *
   * In the callback, every function of the outer Lastro rejects with CallOutsideTransaction. After the callback, every
   * function of `tx` rejects with TransactionEnded.
   */
  readonly atomically: <A>(
    work: (tx: Tx) => PromiseLike<A>,
    options?: TransactionOptions
  ) => Promise<A>
  /**
   * Joins the use cases to the transaction that you have begun on your own client, such as a PoolClient of `pg`. Call
   * this function after BEGIN. Each call runs in a savepoint. You commit or roll back. Await each call before you use
   * the client.
   *
   * A call rejects with ClientRefused if the client has no open transaction of the level READ COMMITTED in the database
   * of this Lastro. Durable jobs start at your commit. Long polls end within 250 ms after your commit.
   */
  readonly within: (client: DatabaseClient) => Tx
}

/** Returns the value of a Result, or throws its failure, for example to roll back a transaction. */
export const orThrow = <A, E>(result: Result.Result<A, E>): A => Result.getOrThrow(result)
