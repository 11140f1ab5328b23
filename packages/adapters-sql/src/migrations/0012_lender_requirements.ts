import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Adds the requirements of an application's lender for its KYC. They are null for an application that was last quoted before this
 * migration: its lender requires nothing in addition.
 */
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table application add column requirements json`
})
