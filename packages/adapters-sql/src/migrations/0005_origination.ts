import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { randomBytes } from "node:crypto"
import { trigramOps } from "./indexes.ts"

/**
 * Creates applications with their quotes and proposals, the poll schedule of contracts, and the counts of proposals.
 * Also creates the key for the hashes that replace personal data in the audit log.
 *
 * Fields that only the rules read are stored as `json`, which, unlike `jsonb`, keeps the order of keys. Columns for
 * filters and sorting are derived from these fields, and `lastro check` compares the two.
 */
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const trigrams = yield* trigramOps
  yield* sql`
    create table application (
      id uuid primary key,
      partner_id uuid not null references partner on delete restrict,
      root_id uuid not null references partner on delete restrict,
      external_id text collate "C" not null,
      cpf text collate "C" not null,
      created_by text not null,
      customer json not null,
      kyc json,
      kyc_at timestamptz(3),
      unfinished boolean not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      version integer not null,
      check ((kyc is null) = (kyc_at is null))
    )`
  yield* sql`
    create index application_external_id on application (root_id, external_id, created_at, id) include (partner_id)`
  yield* sql`
    create index application_kyc on application (root_id, cpf, kyc_at, id) include (partner_id)
      where kyc_at is not null`
  yield* sql`create index application_unfinished on application (partner_id) where unfinished`

  yield* sql`
    create table quote (
      id uuid primary key,
      application_id uuid not null references application on delete restrict,
      number integer not null check (number > 0),
      outcome text collate "C" not null check (outcome in ('PENDING', 'COMPLETED', 'REJECTED', 'FAILED')),
      facts json not null,
      unique (application_id, number)
    )`

  yield* sql`
    create table proposal (
      id uuid primary key,
      application_id uuid not null unique references application on delete restrict,
      offer_id uuid not null,
      number text collate "C" not null unique,
      partner_id uuid not null references partner on delete restrict,
      root_id uuid not null references partner on delete restrict,
      status text collate "C" not null check (status in (
        'SUBMITTING', 'AWAITING_SIGNATURE', 'GUARANTEE_PENDING', 'DISBURSING', 'DISBURSEMENT_FAILED', 'PAID',
        'CANCELLED', 'REJECTED'
      )),
      cpf text collate "C" not null,
      customer_folded text collate "C" not null,
      external_id text collate "C" not null,
      net_amount bigint not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      list_item json not null,
      facts json not null
    )`
  yield* sql`create index proposal_partner on proposal (partner_id, created_at, id)`
  yield* sql`create index proposal_created on proposal (root_id, created_at, id) include (partner_id)`
  yield* sql`create index proposal_updated on proposal (root_id, updated_at, id) include (partner_id)`
  yield* sql`create index proposal_status on proposal (root_id, status, id) include (partner_id)`
  yield* sql`create index proposal_net_amount on proposal (root_id, net_amount, id) include (partner_id)`
  yield* sql`create index proposal_cpf on proposal (cpf)`
  yield* sql`create index proposal_external_id on proposal (external_id)`
  yield* sql`create index proposal_search on proposal using gin (customer_folded ${trigrams})`

  // The schedule is a separate table, because it changes with every poll. A proposal and its indexes change only with
  // an event.
  yield* sql`
    create table contract_look (
      proposal_id uuid primary key references proposal on delete restrict,
      due_at timestamptz(3) not null
    ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`
  yield* sql`create index contract_look_due on contract_look (due_at, proposal_id)`

  yield* sql`alter table subtree_count add column proposals integer not null default 0`
  yield* sql`alter table subtree_count_delta add column proposals integer not null default 0`

  yield* sql`
    create table personal_data_key (
      singleton boolean primary key default true check (singleton),
      key bytea not null check (octet_length(key) = 32)
    )`
  yield* sql`insert into personal_data_key (key) values (${randomBytes(32)})`
})
