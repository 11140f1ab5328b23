import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Adds the newest deleted sequence of each tree, the subscriptions of the host, and `expiry_due`: the time at which the
 * last offer of a quote expires, until the event of the expiry is appended.
 */
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table event_head add column deleted bigint not null default 0`
  yield* sql`
    create table event_subscription (
      root_id uuid not null,
      name text not null,
      cursor bigint not null,
      holder uuid,
      leased_until timestamptz(3),
      primary key (root_id, name)
    )`
  yield* sql`alter table quote add column expiry_due timestamptz(3)`
  yield* sql`
    update quote set expiry_due = application.live_until from application
    where application.stage = 'QUOTED' and application.live_until > now()
      and quote.application_id = application.id and quote.outcome = 'COMPLETED'
      and not exists (
        select from quote newer where newer.application_id = quote.application_id and newer.number > quote.number
      )`
  yield* sql`create index quote_expiry_due on quote (expiry_due) where expiry_due is not null`
})
