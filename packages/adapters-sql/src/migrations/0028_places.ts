import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { createIndexes } from "./indexes.ts"

/** Adds the columns. The defaults are constants, so no row is rewritten. */
const addColumns = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    alter table application
      add column if not exists place text collate "C",
      add column if not exists place_from timestamptz(3) not null default '-infinity',
      add column if not exists place_until timestamptz(3) not null default 'infinity',
      add column if not exists course json,
      add column if not exists placed_version integer`
  yield* sql`
    alter table proposal
      add column if not exists created_by text collate "C",
      add column if not exists lender text collate "C",
      add column if not exists table_code text collate "C",
      add column if not exists paid_at timestamptz(3)`
})

/** The columns and indexes of the migration. An operator can create them before the upgrade (docs/upgrading.md). */
export const preparePlaces = [
  addColumns,
  ...createIndexes({
    application_creator: "on application (created_by)",
    application_unplaced: "on application (id) where placed_version is distinct from version",
    application_place_until: "on application (place_until, root_id) where place_until < 'infinity'",
    application_place_from: "on application (place_from, root_id) where place_from > '-infinity'",
    application_place_region: "on application (region_id, place, created_at, id) include (place_from, place_until)",
    application_place_partner: "on application (partner_id, place, created_at, id) include (place_from, place_until)",
    application_place_created: "on application (root_id, place, created_at, id) include (place_from, place_until)",
    application_place_updated: "on application (root_id, place, updated_at, id) include (place_from, place_until)",
    proposal_creator: "on proposal (created_by)",
    proposal_paid: "on proposal (root_id, paid_at, id) include (partner_id, region_id)",
    proposal_paid_last: "on proposal (root_id, paid_at desc nulls last, id desc) include (partner_id, region_id)",
    proposal_table: "on proposal (root_id, table_code, id) include (partner_id, region_id)",
    proposal_lender: "on proposal (root_id, lender, id) include (partner_id, region_id)"
  })
]

/**
 * Adds the place of each application (FGTS-71), and of each proposal the creator, the lender, the fee table and the
 * time of the payment. The place is null, and `placed_version` differs from `version`, until a node of this version has
 * stored it: after each event, and in the background for records that an earlier version wrote.
 *
 * A trigger adds each change of a place, and each move of an application to another region, to the table
 * `application_place_delta`, whatever version of the program makes the change. It runs with the rights of the owner,
 * because the role of the nodes may get its rights on the new tables later. Nodes of this version add the changes to
 * the counts of the tree, the region and the partner.
 */
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.all(preparePlaces, { discard: true })
  yield* sql`
    create table application_place_count (
      part text collate "C" not null check (part in ('tree', 'region', 'partner')),
      part_id uuid not null,
      place text collate "C" not null,
      applications integer not null,
      primary key (part, part_id, place)
    )`
  yield* sql`
    create table application_place_delta (
      id bigint generated always as identity primary key,
      root_id uuid not null,
      region_id uuid not null,
      partner_id uuid not null,
      place text collate "C" not null,
      applications integer not null
    ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`
  yield* sql`
    create function count_application_places() returns trigger language plpgsql security definer
      set search_path from current as $$
    begin
      if tg_op = 'INSERT' then
        insert into application_place_delta (root_id, region_id, partner_id, place, applications)
        select root_id, region_id, partner_id, place, count(*) from new_rows
        where place is not null group by root_id, region_id, partner_id, place;
      else
        insert into application_place_delta (root_id, region_id, partner_id, place, applications)
        select root_id, region_id, partner_id, place, sum(change) from (
          select root_id, region_id, partner_id, place, -1 as change from old_rows
          union all select root_id, region_id, partner_id, place, 1 from new_rows
        ) changed
        where place is not null group by root_id, region_id, partner_id, place having sum(change) <> 0;
      end if;
      return null;
    end $$`
  yield* sql`
    create trigger application_placed after insert on application referencing new table as new_rows
      for each statement execute function count_application_places()`
  yield* sql`
    create trigger application_moved after update on application
      referencing old table as old_rows new table as new_rows
      for each statement execute function count_application_places()`
})
