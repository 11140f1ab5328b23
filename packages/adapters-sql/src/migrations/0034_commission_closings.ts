import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { createIndexes } from "./indexes.ts"

/** The index of unpaid entries. An operator can create it before the upgrade (docs/upgrading.md). */
export const prepareCommissionClosings = createIndexes({
  commission_entry_payable: "on commission_entry (partner_id, status, period) include (amount) where status <> 'PAID'"
})

/**
 * A closing finds the unpaid entries of a partner by status and period. The index of unpaid sums contains no column that
 * each entry changes, so that an update of the sums updates no index. Adding the column rewrites the table of sums, which
 * takes about a second per million rows.
 *
 * Nodes of the previous version keep working: the column is computed, and their statements do not depend on an index.
 */
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.all(prepareCommissionClosings)
  yield* sql`drop index commission_entry_unpaid`
  yield* sql`drop index commission_sum_unpaid`
  yield* sql`
    alter table commission_sum
      add column has_unpaid boolean generated always as (unpaid <> 0) stored,
      set (fillfactor = 70)`
  yield* sql`create index commission_sum_unpaid on commission_sum (viewer_id, period) where has_unpaid`
})
