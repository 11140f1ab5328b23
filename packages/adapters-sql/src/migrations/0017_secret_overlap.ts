import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Adds the previous secret of an API client, which stays valid until the overlap of a rotation ends (rule CLIENT-05).
 *
 * Nodes of the previous version keep working: the columns are nullable, and no row is rewritten. Such a node ignores
 * the columns and refuses the previous secret. If it rotates a secret, it does not update `previous_version`, which is
 * then no longer one less than the present `credentials_version`. The stored previous secret is therefore ignored.
 */
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    alter table api_client
      add column previous_secret_hash text,
      add column previous_version integer,
      add column previous_valid_until timestamptz(3)`
})
