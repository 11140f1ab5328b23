import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Adds the metadata of partners, users and applications. The default is a constant, so no row is rewritten. The indexes
 * contain only records with metadata, so they are empty at first. Each table is still read once to create its index,
 * and is locked against reads and writes until the migration commits.
 */
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const table of ["partner", "app_user", "application"]) {
    yield* sql`alter table ${sql(table)} add column metadata jsonb not null default '{}'`
    yield* sql`
      create index ${sql(`${table}_metadata`)} on ${sql(table)} using gin (metadata jsonb_path_ops)
      where metadata <> '{}'`
  }
})
