import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Adds the status SETTLED, and the time until which a paid contract is watched for its settlement: the end of the tenth day after its
 * last due date, at midnight in America/Sao_Paulo. Starts a job for each such contract that has none. The job polls the
 * contract ten days after its next due date.
 *
 * Nodes of an earlier version may run while the migration runs. Such a node would end a job that it runs, so no job is
 * due within a day.
 */
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table proposal drop constraint proposal_status_check`
  yield* sql`
    alter table proposal add constraint proposal_status_check check (status in (
      'SUBMITTING', 'CORRECTION_NEEDED', 'AWAITING_SIGNATURE', 'GUARANTEE_PENDING', 'DISBURSING', 'DISBURSEMENT_FAILED',
      'PAID', 'CANCELLING', 'CANCELLED', 'REJECTED', 'REFUND_PENDING', 'REFUNDED', 'SETTLED'
    ))`
  yield* sql`alter table proposal add column watched_until timestamptz(3)`
  yield* sql`
    with installment as (
      select proposal.id, (
        ((due.value ->> 'due_date')::date + 10)::timestamp at time zone 'America/Sao_Paulo'
      ) as polled_at
      from proposal
      join quote on quote.application_id = proposal.application_id
      cross join lateral json_array_elements(quote.facts -> 'offers') offer
      cross join lateral json_array_elements(
        case when json_typeof(proposal.facts -> 'terms') = 'object' then proposal.facts -> 'terms'
        else offer.value -> 'terms' end -> 'installments'
      ) due
      where proposal.status = 'PAID' and (offer.value ->> 'offer_id')::uuid = proposal.offer_id
    ),
    watched as (
      select id, max(polled_at) + interval '1 day' as watched_until, min(polled_at) filter (where polled_at > now()) as polled_at
      from installment group by id having max(polled_at) + interval '1 day' > now()
    ),
    updated as (
      update proposal set watched_until = watched.watched_until from watched where watched.id = proposal.id
    )
    insert into job (kind, id, attempt, run_at)
    select 'contract', id, 0, greatest(polled_at, now() + interval '1 day') from watched
    on conflict (kind, id) do nothing`
  yield* sql`create index proposal_watched on proposal (watched_until) where watched_until is not null`
})
