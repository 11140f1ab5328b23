import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { createIndexes } from "./indexes.ts"

const addColumns = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table partner add column if not exists moves int not null default 0`
  yield* sql`alter table proposal add column if not exists commission jsonb`
  yield* sql`alter table proposal add column if not exists commission_partners uuid[]`
})

/** The columns and the index of frozen commissions. An operator can create them before the upgrade (docs/upgrading.md). */
export const prepareCommissions = [
  addColumns,
  ...createIndexes({
    proposal_commissioned: "on proposal using gin (commission_partners) where commission_partners is not null and " +
      "status in ('SUBMITTING', 'CORRECTION_NEEDED', 'AWAITING_SIGNATURE', 'GUARANTEE_PENDING', 'DISBURSING', " +
      "'DISBURSEMENT_FAILED', 'CANCELLING', 'REFUND_PENDING')"
  })
]

/**
 * Adds commission plans, the ledger of commissions with its closings, payouts and statements, the contracts of hosts that
 * have loans of their own, the number of moves of each partner, and the commission that a proposal froze at its
 * acceptance. `commission_visible` has each entry for each of its viewers, in the orders of a list. `commission_sum` has
 * the sums of the entries of a partner in a period that a viewer sees; without a partner, those of all partners. Triggers
 * refuse every change of plans, and of entries except their status and payout.
 *
 * Nodes of the previous version keep working: they leave the new columns as they are.
 */
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.all(prepareCommissions, { discard: true })
  yield* sql`
    create table commission_plan (
      id uuid primary key,
      partner_id uuid not null references partner on delete restrict,
      sequence bigint generated always as identity,
      valid_from text not null,
      basis text,
      rates jsonb not null,
      created_at timestamptz(3) not null,
      created_by text not null,
      writer_partner_id uuid not null,
      parent_id uuid,
      above uuid[] not null,
      moves int not null
    )`
  yield* sql`create index commission_plan_partner on commission_plan (partner_id, valid_from, sequence)`
  yield* sql`create index commission_plan_listed on commission_plan (partner_id, created_at, id)`
  yield* sql`
    create table commission_entry (
      id uuid primary key,
      root_id uuid not null,
      partner_id uuid not null references partner on delete restrict,
      viewers uuid[] not null,
      proposal_id uuid,
      kind text not null,
      amount bigint not null,
      basis_amount bigint,
      lender text,
      table_code text,
      seller_partner_id uuid,
      period text not null,
      payable_on text not null,
      status text not null,
      payout_id uuid,
      occurred_at timestamptz(3) not null,
      note text,
      reference text,
      paid_amount bigint,
      happened_on text not null
    )`
  yield* sql`
    create unique index commission_entry_once on commission_entry (proposal_id, partner_id, kind)
    where kind <> 'ADJUSTMENT'`
  yield* sql`create index commission_entry_partner on commission_entry (partner_id, period)`
  yield* sql`create index commission_entry_unpaid on commission_entry (partner_id) include (amount) where status <> 'PAID'`
  yield* sql`create index commission_entry_stated on commission_entry (root_id, lender, reference)
    where kind <> 'ADJUSTMENT'`
  yield* sql`create index commission_entry_happened on commission_entry (root_id, lender, happened_on)
    where kind <> 'ADJUSTMENT'`
  yield* sql`create index commission_entry_payout on commission_entry (payout_id) where payout_id is not null`
  yield* sql`
    create table commission_visible (
      viewer_id uuid not null,
      occurred_at timestamptz(3) not null,
      entry_id uuid not null,
      period text not null,
      amount bigint not null,
      primary key (viewer_id, occurred_at, entry_id)
    )`
  yield* sql`create index commission_visible_period on commission_visible (viewer_id, period, occurred_at, entry_id)`
  yield* sql`create index commission_visible_amount on commission_visible (viewer_id, amount, entry_id)`
  yield* sql`
    create table commission_sum (
      viewer_id uuid not null,
      period text not null,
      partner_id uuid,
      entries bigint not null,
      contracts bigint not null,
      accrued numeric not null,
      clawed_back numeric not null,
      adjusted numeric not null,
      paid numeric not null,
      unpaid numeric not null,
      unique nulls not distinct (viewer_id, partner_id, period)
    )`
  yield* sql`create index commission_sum_period on commission_sum (viewer_id, period)`
  yield* sql`create index commission_sum_unpaid on commission_sum (viewer_id, period) where unpaid <> 0`
  yield* sql`
    create table commission_closing (
      id uuid primary key,
      partner_id uuid not null references partner on delete restrict,
      period text not null,
      created_at timestamptz(3) not null,
      created_by text not null,
      unique (partner_id, period)
    )`
  yield* sql`
    create table commission_payout (
      id uuid primary key,
      partner_id uuid not null references partner on delete restrict,
      viewers uuid[] not null,
      period text not null,
      amount bigint not null,
      net_amount bigint not null,
      withheld jsonb not null,
      reference text not null,
      paid_at timestamptz(3) not null,
      created_at timestamptz(3) not null
    )`
  yield* sql`create index commission_payout_viewers on commission_payout using gin (viewers)`
  yield* sql`
    create table commission_statement (
      root_id uuid not null,
      lender text not null,
      period text not null,
      digest text not null,
      result jsonb not null,
      created_at timestamptz(3) not null,
      primary key (root_id, lender, period, digest)
    )`
  yield* sql`
    create table commission_contract (
      id uuid primary key,
      root_id uuid not null,
      partner_id uuid not null references partner on delete restrict,
      partners uuid[] not null,
      status text not null,
      frozen jsonb,
      amounts jsonb not null,
      accepted_at timestamptz(3) not null
    )`
  yield* sql`create index commission_contract_open on commission_contract using gin (partners) where status = 'ACCEPTED'`
  yield* sql`
    create function commission_refuse_change() returns trigger language plpgsql as ${
    sql.literal("'begin raise exception ''The ledger of commissions is append-only.''; end'")
  }`
  yield* sql`
    create trigger commission_plan_append_only before update or delete on commission_plan
    for each row execute function commission_refuse_change()`
  yield* sql`
    create trigger commission_entry_append_only before update of
      id, root_id, partner_id, viewers, proposal_id, kind, amount, basis_amount, lender, table_code, seller_partner_id,
      period, payable_on, occurred_at, note, reference, paid_amount, happened_on or delete on commission_entry
    for each row execute function commission_refuse_change()`
})
