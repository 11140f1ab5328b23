import { type DatabaseClient } from "@lastro/domain/ports"

/** A result of postgres.js: an array of rows with extra properties. */
interface PostgresJsRows<Row> extends ReadonlyArray<Row> {
  readonly count: number | null
  /** Absent if the statement returns no rows, for example `savepoint`. */
  readonly columns?: ReadonlyArray<{ readonly name: string; readonly type: number }> | undefined
}

/** The part of the `sql` of a transaction of postgres.js that {@link clientOfPostgresJs} uses. */
export interface PostgresJsTransaction {
  readonly typed: (value: never, type: number) => unknown
  unsafe(text: string, values: Array<never>): PromiseLike<PostgresJsRows<object>> & {
    raw(): PromiseLike<PostgresJsRows<ReadonlyArray<Uint8Array | null>>>
  }
}

const decoder = new TextDecoder()

/**
 * The type `unknown` of PostgreSQL. postgres.js sends such a text unchanged, and PostgreSQL infers the type from the
 * statement.
 */
const unknownType = 705

/**
 * Makes the client for `lastro.within` from the `sql` that `sql.begin` of postgres.js passes to its callback. Rows of
 * `tx.query` have the types that postgres.js gives them.
 */
export const clientOfPostgresJs = (sql: PostgresJsTransaction): DatabaseClient => ({
  query: async ({ text, types, values }) => {
    if (types === undefined) {
      const rows = await sql.unsafe(text, values as Array<never>)
      return { rows: Array.from(rows), rowCount: rows.count }
    }
    // All values of Lastro are texts already. Without a type, postgres.js would convert them again, for example `true`
    // to `f`.
    const texts = values.map((value) => sql.typed(value as never, unknownType))
    const rows = await sql.unsafe(text, texts as Array<never>).raw()
    const columns = (rows.columns ?? []).map(({ name, type }) => ({ name, parse: types.getTypeParser(type) }))
    return {
      rows: rows.map((values) =>
        Object.fromEntries(columns.map(({ name, parse }, index) => {
          const value = values[index] ?? null
          return [name, value === null ? null : parse(decoder.decode(value))]
        }))
      ),
      rowCount: rows.count
    }
  }
})
