import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Adds the lender's requirements for the KYC of an application. They are null for an application that was last quoted
 * before this migration. Null means that its lender requires nothing in addition.
 */
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table application add column requirements json`
})
