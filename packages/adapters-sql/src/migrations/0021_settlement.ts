import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { createIndexes } from "./indexes.ts"

const addWatch = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => Effect.asVoid(sql`alter table proposal add column if not exists watched_until timestamptz(3)`)
)

/**
 * The column and the index of the watched contracts. An operator can create them before the upgrade
 * (docs/upgrading.md).
 */
export const prepareSettlement = [
  addWatch,
  ...createIndexes({ proposal_watched: "on proposal (watched_until, id) where status = 'PAID'" })
]

/**
 * Adds the status SETTLED, and the time until which a paid contract is watched for its settlement: the end of the tenth
 * day after its last due date, at midnight in America/Sao_Paulo. Nodes store it for the contracts that are already
 * paid, and start their jobs, in the background. The constraint is validated by the next migration, without a lock that
 * others wait for.
 */
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.all(prepareSettlement, { discard: true })
  yield* sql`alter table proposal drop constraint proposal_status_check`
  yield* sql`
    alter table proposal add constraint proposal_status_check check (status in (
      'SUBMITTING', 'CORRECTION_NEEDED', 'AWAITING_SIGNATURE', 'GUARANTEE_PENDING', 'DISBURSING', 'DISBURSEMENT_FAILED',
      'PAID', 'CANCELLING', 'CANCELLED', 'REJECTED', 'REFUND_PENDING', 'REFUNDED', 'SETTLED'
    )) not valid`
})
