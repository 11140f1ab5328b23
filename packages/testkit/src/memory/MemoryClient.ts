import {
  type ClientRows,
  type ClientStatement,
  type DatabaseClient,
  isRollbackToSavepoint,
  isTransactionControl
} from "@lastro/domain/ports"

/** The answer of the host's database to a statement of the host: rows, or nothing. */
export type AnswerStatement = (
  text: string,
  values: ReadonlyArray<unknown>
) => ReadonlyArray<object> | void | Promise<ReadonlyArray<object> | void>

/** Ends a unit of work that has joined the transaction of a client: commits it, or rolls it back. */
type End = (isCommitted: boolean) => Promise<void>

/**
 * Replaces a client of `pg` in tests of your own code, without a database. `lastro.within(client)` of in-memory ports
 * joins the transaction between BEGIN and COMMIT or ROLLBACK. COMMIT stores the writes of the use cases, and ROLLBACK
 * discards them. Every other statement goes to `answer`, which returns the rows of the host's database, because there
 * is no SQL. `statements` lists all statements in order.
 */
export class MemoryClient implements DatabaseClient {
  readonly #answer: AnswerStatement
  readonly #ends: Array<End> = []
  /** The texts of all statements, in order. */
  readonly statements: Array<string> = []
  /** Identifies the open transaction. Undefined without one. */
  #transaction: object | undefined

  constructor(answer: AnswerStatement = () => {}) {
    this.#answer = answer
  }

  /** Returns the open transaction, or undefined. */
  get transaction(): object | undefined {
    return this.#transaction
  }

  /** Registers the end of a unit of work that has joined the open transaction. */
  endsWith(end: End): void {
    this.#ends.push(end)
  }

  async #end(isCommitted: boolean): Promise<void> {
    this.#transaction = undefined
    await Promise.all(this.#ends.splice(0).map((end) => end(isCommitted)))
  }

  async query(statement: string | ClientStatement, values?: ReadonlyArray<unknown>): Promise<ClientRows> {
    const [text, parameters] = typeof statement === "string"
      ? [statement, values ?? []]
      : [statement.text, statement.values]
    this.statements.push(text)
    if (isTransactionControl(text)) {
      if (/^\s*(?:begin|start)\b/i.test(text)) this.#transaction ??= {}
      else await this.#end(/^\s*(?:commit|end)\b/i.test(text))
      return { rows: [], rowCount: null }
    }
    const rows = isRollbackToSavepoint(text) ? [] : await this.#answer(text, parameters) ?? []
    return { rows, rowCount: rows.length }
  }
}
