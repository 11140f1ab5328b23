import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { trigramOps } from "./indexes.ts"

/**
 * Creates partners, the closure table of the hierarchy and the counts of each subtree.
 *
 * `partner_closure` has a row for every pair of a partner and one of its ancestors, and a row for each partner with
 * itself. The table has no foreign keys, because a move would check hundreds of thousands of them. Instead, `lastro
 * check` compares it with `parent_id`. The number of partners and users in a subtree, without deleted ones, is the sum
 * of `subtree_count` and `subtree_count_delta`.
 */
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create extension if not exists pg_trgm`
  const trigrams = yield* trigramOps
  yield* sql`
    create table partner (
      id uuid primary key,
      parent_id uuid references partner on delete restrict,
      root_id uuid not null references partner on delete restrict,
      person_type text not null check (person_type in ('pf', 'pj')),
      status text collate "C" not null check (status in ('active', 'inactive')),
      name text not null,
      name_folded text collate "C" not null,
      email text not null,
      email_folded text collate "C" not null,
      phone text not null,
      document_number text collate "C" not null,
      pix jsonb,
      address jsonb,
      bank_account jsonb,
      created_at timestamptz(3) not null,
      deleted_at timestamptz(3),
      check ((parent_id is null) = (root_id = id))
    )`
  yield* sql`create unique index partner_document on partner (root_id, document_number) where deleted_at is null`
  yield* sql`create index partner_created on partner (root_id, created_at, id) where deleted_at is null`
  yield* sql`create index partner_name on partner (root_id, name_folded, id) where deleted_at is null`
  yield* sql`create index partner_email on partner (root_id, email_folded, id) where deleted_at is null`
  yield* sql`create index partner_children on partner (parent_id, created_at, id) where deleted_at is null`
  yield* sql`
    create index partner_search on partner
      using gin (name_folded ${trigrams}, email_folded ${trigrams}, document_number ${trigrams})
      where deleted_at is null`

  yield* sql`
    create table partner_closure (
      ancestor_id uuid not null,
      descendant_id uuid not null,
      primary key (ancestor_id, descendant_id)
    )`
  yield* sql`create index partner_closure_up on partner_closure (descendant_id, ancestor_id)`
  // Subtree sizes differ by orders of magnitude, so the planner needs statistics for each of the large subtrees.
  yield* sql`alter table partner_closure alter column ancestor_id set statistics 1000`

  yield* sql`
    create table subtree_count (
      partner_id uuid primary key references partner on delete restrict,
      partners integer not null,
      users integer not null
    ) with (fillfactor = 50)`
  yield* sql`
    create table subtree_count_delta (
      id bigint generated always as identity primary key,
      partner_id uuid not null,
      partners integer not null,
      users integer not null
    ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`
})
