import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Returns an effect that creates the indexes that do not exist. Each entry is the part of the statement after the name. `create index` locks
 * the table against writes, about one second for each million rows.
 */
export const createIndexes = (indexes: Readonly<Record<string, string>>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.forEach(
      Object.entries(indexes),
      ([name, definition]) => sql`create index if not exists ${sql(name)} ${sql.literal(definition)}`,
      { discard: true }
    ))
