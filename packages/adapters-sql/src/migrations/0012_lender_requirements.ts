import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Adds the KYC requirements of the lender to each application. Null means that there are none beyond those of every
 * lender. The value is null in each application that was last quoted before this migration.
 */
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table application add column requirements json`
})
