import { PgDatabase } from "@lastro/adapters-sql"
import { type Duration, Effect, Redacted } from "effect"
import { SqlClient, type SqlError } from "effect/sql"

/** A row of a result, by the names of its columns. */
export type Row = Readonly<Record<string, unknown>>

/** Runs statements on one new connection. Returns the rows of the last one. */
export const execute = (
  url: string,
  statements: ReadonlyArray<string>,
  statementTimeout?: Duration.Input
): Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError> =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    let rows: ReadonlyArray<Row> = []
    for (const statement of statements) rows = yield* sql.unsafe<Row>(statement)
    return rows
  }).pipe(
    Effect.provide(PgDatabase.layer({ url: Redacted.make(url), maxConnections: 1, statementTimeout }), { local: true })
  )
