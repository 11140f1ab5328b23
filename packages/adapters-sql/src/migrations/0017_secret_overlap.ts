import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Adds the previous secret of an API client, which stays valid until the overlap of a rotation ends (rule CLIENT-05).
 *
 * Expands only: the columns are nullable, and no row is rewritten. A node of the version before ignores them. It refuses the previous secret. If
 * it rotates a secret, `previous_version` is no longer the version before the present one, so that the stored previous secret does not count.
 */
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    alter table api_client
      add column previous_secret_hash text,
      add column previous_version integer,
      add column previous_valid_until timestamptz(3)`
})
