import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Adds the previous secret of an API client, which stays valid until the overlap of a rotation ends (rule CLIENT-05).
 *
 * Expands only: the columns are nullable, and no row is rewritten. A node of the previous version ignores the columns
 * and refuses the previous secret. If such a node rotates a secret, it does not update `previous_version`. The number
 * then no longer precedes the present version, so the stored previous secret is ignored.
 */
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    alter table api_client
      add column previous_secret_hash text,
      add column previous_version integer,
      add column previous_valid_until timestamptz(3)`
})
