import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Adds webhooks and their deliveries. `sequence` of a webhook is its place in the feed of its tree. The deliveries of a
 * deleted webhook are deleted in the background, so that the deletion is short.
 */
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table webhook (
      id uuid primary key,
      root_id uuid not null,
      partner_id uuid not null references partner on delete restrict,
      url text not null,
      types text[] not null,
      description text,
      status text not null,
      stop_reason text,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      version bigint not null,
      secret text not null,
      previous_secret text,
      previous_valid_until timestamptz(3),
      last_success_at timestamptz(3),
      last_failure_at timestamptz(3),
      last_failure text,
      sequence bigint not null,
      failures int not null default 0,
      is_lagging boolean not null default false,
      is_full boolean not null default false,
      is_requested boolean not null default false,
      hold_until timestamptz,
      next_at timestamptz,
      fence bigint not null default 0,
      leased_until timestamptz not null default now()
    )`
  yield* sql`create index webhook_partner on webhook (partner_id)`
  yield* sql`
    create table webhook_delivery (
      webhook_id uuid not null,
      event_id uuid not null,
      sequence bigint,
      type text not null,
      body text not null,
      status text not null,
      attempts int not null default 0,
      last_status int,
      last_fault text,
      duration_ms int,
      last_at timestamptz(3),
      next_at timestamptz(3),
      created_at timestamptz(3) not null default now(),
      primary key (webhook_id, event_id)
    )`
  yield* sql`create index webhook_delivery_due on webhook_delivery (webhook_id, next_at) where status = 'PENDING'`
  yield* sql`create index webhook_delivery_listed on webhook_delivery (webhook_id, created_at, event_id)`
  yield* sql`create index webhook_delivery_ended on webhook_delivery (last_at) where status <> 'PENDING'`
})
