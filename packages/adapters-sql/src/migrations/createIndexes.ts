import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Returns an effect for each index, which creates it if it does not exist. The values are the parts of the statements after the name.
 * `create index` locks its table against writes, about one second for each million rows.
 */
export const createIndexes = (indexes: Readonly<Record<string, string>>) =>
  Object.entries(indexes).map(([name, definition]) =>
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => Effect.asVoid(sql`create index if not exists ${sql(name)} ${sql.literal(definition)}`)
    )
  )
