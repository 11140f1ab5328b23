import { PgTypes } from "@effect/sql-pg"
import { Effect, Result } from "effect"
import { type SqlClient } from "effect/sql"
import { type SqlError } from "effect/sql/SqlError"

/** The tables that a seed fills row by row. */
export type SeededTable = "partner" | "app_user" | "application" | "quote" | "proposal"

/** A row by its columns; JSON is text already. */
export type LoadedRow = Readonly<Record<string, string | number | boolean | null | undefined>>

const textOid = 25

/** The values of a column as one array of texts, which the server turns into what the column holds. */
const column = (rows: ReadonlyArray<LoadedRow>, name: string): PgTypes.Parameter =>
  Result.getOrThrow(PgTypes.array(
    rows.map((row) => {
      const value = row[name] ?? null
      return value === null ? null : String(value)
    }),
    textOid
  ))

/**
 * Inserts rows into a table with one statement, a parameter for each column: of what the client offers this is the fastest, in half
 * the time of rows as JSON. COPY it does not offer.
 */
export const loader = Effect.fnUntraced(function*(
  sql: SqlClient.SqlClient,
  table: SeededTable
): Effect.fn.Return<(rows: ReadonlyArray<LoadedRow>) => Effect.Effect<void, SqlError>, SqlError> {
  const found = yield* sql<{ readonly name: string; readonly type: string }>`
    select attname as name, format_type(atttypid, null) as type from pg_attribute
    where attrelid = ${table}::text::regclass and attnum > 0 and not attisdropped`
  const types = new Map(found.map(({ name, type }) => [name, type]))
  return (rows) => {
    const names = Object.keys(rows[0] ?? {})
    if (names.length === 0) return Effect.void
    const arrays = names.map((name, index) => `$${index + 1}::${types.get(name)}[]`)
    return Effect.asVoid(sql.unsafe(
      `insert into ${table} (${names.join(", ")}) select * from unnest(${arrays.join(", ")})`,
      names.map((name) => column(rows, name))
    ))
  }
})
