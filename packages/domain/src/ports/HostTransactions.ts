import { Context, Data, type Effect } from "effect"
import { type DatabaseClient } from "./DatabaseClient.ts"
import { type UnitOfWork } from "./UnitOfWork.ts"

/** The answer of the database to a statement of the host. */
export interface HostRows<Row = Readonly<Record<string, unknown>>> {
  /** The rows that the statement returned, by column name. */
  readonly rows: ReadonlyArray<Row>
  /** The number of rows that the statement returned or changed. Null for a statement that does neither. */
  readonly rowCount: number | null
}

/** Runs units of work on the database client of a host, and the host's own statements between them. */
export interface ClientUnits {
  readonly atomically: UnitOfWork["Service"]["atomically"]
  /**
   * Runs a statement of the host on its client, outside of all units of work. Waits for the units of work that were
   * begun before.
   */
  readonly query: (text: string, values: ReadonlyArray<unknown>) => Effect.Effect<HostRows, StatementFailed>
}

/**
 * Runs the code of a host, which is not written in Effect, in units of work. `openLastro` needs this port for
 * `atomically` and `within` only.
 */
export class HostTransactions extends Context.Service<HostTransactions, {
  /**
   * Runs a callback and returns its result. `current` returns `flow` in the callback and in everything that the
   * callback awaits or starts, unless a nested `enter` replaces it.
   */
  readonly enter: <A>(flow: object, callback: () => A) => A
  /** Returns the `flow` of the innermost `enter`, or undefined outside of all callbacks. */
  readonly current: () => object | undefined
  /**
   * Runs a statement of the host in the surrounding unit of work. The parameters in the text are `$1`, `$2` and so on.
   * Fails with {@link StatementFailed}, whose cause is the error of the database. A statement that begins or ends a
   * transaction fails with {@link StatementRefused} and is not run.
   */
  readonly query: (
    text: string,
    values: ReadonlyArray<unknown>
  ) => Effect.Effect<HostRows, StatementFailed | StatementRefused>
  /**
   * Returns units of work in the transaction that the host has begun on its own client. The units of one client run one
   * at a time. The writes of a unit that fails are rolled back, and the transaction stays usable. The host commits. A
   * unit dies with {@link ClientRefused} if the client cannot be used, or has begun another transaction since the first
   * unit.
   */
  readonly within: (client: DatabaseClient) => ClientUnits
}>()("@lastro/domain/ports/HostTransactions") {}

/** The client of the host cannot be used. The message states the reason and the remedy. */
export class ClientRefused extends Error {
  override readonly name = "ClientRefused"
}

/**
 * The statement of the host failed. The cause is the unchanged error of the database, which can contain stored values.
 */
export class StatementFailed extends Data.TaggedError("StatementFailed")<{ readonly cause: unknown }> {}

/** The statement of the host was not run. The message states the reason and the remedy. */
export class StatementRefused extends Error {
  override readonly name = "StatementRefused"
}

/** Matches white space, semicolons and line comments at the beginning of a statement. */
const leadingBlank = /^(?:\s|;|--[^\r\n]*)*/
const blockEdge = /\/\*|\*\//g

/** Removes white space, semicolons and comments from the beginning of a statement. Block comments can be nested. */
const trimLeading = (text: string): string => {
  const rest = text.replace(leadingBlank, "")
  if (!rest.startsWith("/*")) return rest
  let depth = 0
  for (const { 0: edge, index } of rest.matchAll(blockEdge)) {
    depth += edge === "/*" ? 1 : -1
    if (depth === 0) return trimLeading(rest.slice(index + 2))
  }
  return ""
}

/** Matches white space and comments between two keywords. */
const between = String.raw`(?:\s|--[^\r\n]*[\r\n]|/\*(?:[^*]|\*(?!/))*\*/)+`
const control = new RegExp(String.raw`^(?:abort|begin|commit|end|prepare${between}transaction|rollback|start)\b`, "i")
const rollbackTo = new RegExp(`^rollback${between}(?:(?:work|transaction)${between})?to\\b`, "i")

/** Returns whether a statement rolls back to a savepoint. */
export const isRollbackToSavepoint = (text: string): boolean => rollbackTo.test(trimLeading(text))

/** Returns whether a statement begins or ends a transaction. Savepoints are allowed. */
export const isTransactionControl = (text: string): boolean =>
  control.test(trimLeading(text)) && !isRollbackToSavepoint(text)

/** The reason to refuse a statement that begins or ends a transaction. */
export const transactionControlRefused = (): StatementRefused =>
  new StatementRefused(
    "A statement inside a transaction cannot begin or end it. Return from the callback to commit, or throw to roll back."
  )
