import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Adds the feed of events. `above_ids` are the partners above the record when the event happened, its own partner
 * included. A writer leaves `sequence` null, so that writers of one tree do not wait for each other; readers number the
 * committed events (`event_head`).
 */
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table event (
      id uuid primary key,
      root_id uuid not null,
      position bigint generated always as identity,
      sequence bigint,
      type text not null,
      occurred_at timestamptz(3) not null,
      partner_id uuid not null,
      above_ids uuid[] not null,
      subject_kind text not null,
      subject_id text not null,
      subject_version bigint,
      data jsonb not null,
      request_id text,
      actor_kind text not null,
      actor_id text not null
    )`
  yield* sql`create unique index event_sequence on event (root_id, sequence) where sequence is not null`
  yield* sql`create index event_unnumbered on event (root_id, position) where sequence is null`
  yield* sql`create table event_head (root_id uuid primary key, sequence bigint not null)`
})
