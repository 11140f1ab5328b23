import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { createIndexes } from "./indexes.ts"

const addTraceParent = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => Effect.asVoid(sql`alter table job add column if not exists traceparent text`)
)

/**
 * Adds the column `traceparent` to `job`, and creates the index of open contracts. An operator can run these statements
 * before the upgrade (docs/upgrading.md).
 */
export const prepareObservability = [
  addTraceParent,
  ...createIndexes({
    proposal_open: `on proposal (status, (facts #>> '{status_history,-1,at}') collate "C") where status in (` +
      "'SUBMITTING', 'CORRECTION_NEEDED', 'AWAITING_SIGNATURE', 'GUARANTEE_PENDING', 'DISBURSING', " +
      "'DISBURSEMENT_FAILED', 'CANCELLING', 'REFUND_PENDING')"
  })
]

/**
 * Adds to each job the trace context of the request that started it (W3C Trace Context), to each node the work that it
 * did for each tenant in the last minutes, and the index of the open contracts by the time at which they entered their
 * status.
 *
 * Nodes of the previous version keep working: the columns are nullable, and no row is rewritten.
 */
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.all(prepareObservability, { discard: true })
  yield* sql`alter table node add column load jsonb`
})
