import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const referenceIndex = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) =>
    Effect.asVoid(sql`
      create unique index if not exists proposal_lender_reference
      on proposal ((facts ->> 'reference'), coalesce(lender, '')) where not reference_repeated`)
)

/** The index of the references. An operator can create it before the upgrade (docs/upgrading.md). */
export const prepareLenders = [referenceIndex]

/**
 * Makes the references of contracts unique within a lender, not over all lenders. Adds the routings of partners, and
 * the time until which late lenders can add offers to a completed quote.
 *
 * Nodes of the previous version keep working: they have one lender, and find references by the first column of the
 * index.
 */
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* referenceIndex
  yield* sql`drop index if exists proposal_reference`
  yield* sql`alter table quote add column open_until timestamptz`
  yield* sql`create index quote_open on quote (open_until, id) where open_until is not null`
  yield* sql`
    create table partner_routing (
      partner_id uuid primary key references partner (id) on delete restrict,
      strategy text collate "C" not null check (strategy in ('ALL', 'FIRST')),
      lenders text[] collate "C" not null,
      version int not null
    )`
})
