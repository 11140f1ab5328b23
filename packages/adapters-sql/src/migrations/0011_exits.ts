import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Adds the statuses of corrections, cancellations and refunds, and the cancellation of an application before an offer
 * is accepted. Starts a job for each contract that was paid in the last 10 days, to detect a reversal.
 */
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table proposal drop constraint proposal_status_check`
  yield* sql`
    alter table proposal add constraint proposal_status_check check (status in (
      'SUBMITTING', 'CORRECTION_NEEDED', 'AWAITING_SIGNATURE', 'GUARANTEE_PENDING', 'DISBURSING', 'DISBURSEMENT_FAILED',
      'PAID', 'CANCELLING', 'CANCELLED', 'REJECTED', 'REFUND_PENDING', 'REFUNDED'
    ))`
  yield* sql`alter table application add column cancellation json`
  yield* sql`
    insert into job (kind, id)
    select 'contract', id from proposal where status = 'PAID' and updated_at > now() - interval '10 days'
    on conflict (kind, id) do nothing`
})
