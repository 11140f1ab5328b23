import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Returns an effect for each index, which creates the index if it does not exist. Each key is the name of an index, and each
 * value is the rest of its `create index` statement. The statement locks its table against writes for about one second per
 * million rows.
 */
export const createIndexes = (indexes: Readonly<Record<string, string>>) =>
  Object.entries(indexes).map(([name, definition]) =>
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => Effect.asVoid(sql`create index if not exists ${sql(name)} ${sql.literal(definition)}`)
    )
  )
