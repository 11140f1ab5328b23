import { PgDatabase } from "@lastro/adapters-sql"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"

/** Runs a statement directly in the database of a server. */
export const administer = (database: string, statement: string): Effect.Effect<void> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement)).pipe(
    Effect.provide(PgDatabase.layer({ url: Redacted.make(database) }), { local: true }),
    Effect.orDie,
    Effect.asVoid
  )
