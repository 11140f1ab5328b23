import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { fillRegions } from "../hierarchy/fillRegions.ts"
import { trigramOps } from "./indexes.ts"

/**
 * Divides trees into regions and drops the closure table, so that the cost of lists and moves does not grow with the
 * tree.
 *
 * A region is a connected part of a tree. Its id is the id of the partner at its top. Each subtree consists of whole
 * regions (`subtree_region`). If the top of the subtree is not the top of a region, the subtree also contains
 * individual partners of that region (`subtree_partner`). Records store the `region_id` of their partner, so that one
 * index returns the first records of a region in order.
 */
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const trigrams = yield* trigramOps
  // Drop this table first, so that a running node of an older version waits here instead of causing a deadlock.
  yield* sql`drop table partner_closure`
  yield* sql`
    create table subtree_region (
      top_id uuid not null,
      region_id uuid not null,
      primary key (top_id, region_id)
    )`
  yield* sql`
    create table subtree_partner (
      top_id uuid not null,
      partner_id uuid not null,
      primary key (top_id, partner_id)
    )`
  yield* sql`alter table partner add column region_id uuid`
  yield* sql`alter table app_user add column region_id uuid`
  yield* sql`alter table proposal add column region_id uuid`
  yield* sql`
    drop index app_user_search, partner_created, partner_name, partner_email, app_user_created, app_user_name, app_user_email, app_user_cpf,
      proposal_created, proposal_updated, proposal_status, proposal_net_amount`

  // If the result of `fillRegions` changes, add a migration that rewrites the data. If the new result does not fit the
  // tables as they are at this point, keep a copy of the old function for this migration.
  yield* fillRegions

  yield* sql`alter table partner alter column region_id set not null`
  yield* sql`alter table app_user alter column region_id set not null`
  yield* sql`alter table proposal alter column region_id set not null`
  yield* sql`create index subtree_region_above on subtree_region (region_id, top_id)`
  yield* sql`create index subtree_partner_above on subtree_partner (partner_id, top_id)`
  // Subtree sizes differ by orders of magnitude, so the planner needs statistics for each of the large subtrees.
  yield* sql`alter table subtree_region alter column top_id set statistics 1000`
  yield* sql`analyze subtree_region, subtree_partner`

  yield* sql`create index partner_region on partner (region_id, created_at, id) where deleted_at is null`
  yield* sql`
    create index partner_created on partner (root_id, created_at, id) include (region_id) where deleted_at is null`
  yield* sql`
    create index partner_name on partner (root_id, name_folded, id) include (region_id) where deleted_at is null`
  yield* sql`
    create index partner_email on partner (root_id, email_folded, id) include (region_id) where deleted_at is null`

  yield* sql`
    create index app_user_search on app_user
      using gin (name_folded ${trigrams}, email_folded ${trigrams}, cpf ${trigrams})
      where deleted_at is null`
  yield* sql`create index app_user_region on app_user (region_id, created_at, id) where deleted_at is null`
  yield* sql`
    create index app_user_created on app_user (root_id, created_at, id) include (partner_id, region_id)
      where deleted_at is null`
  yield* sql`
    create index app_user_name on app_user (root_id, name_folded, id) include (partner_id, region_id)
      where deleted_at is null`
  yield* sql`
    create index app_user_email on app_user (root_id, email_folded, id) include (partner_id, region_id)
      where deleted_at is null`
  yield* sql`
    create index app_user_cpf on app_user (root_id, cpf, id) include (partner_id, region_id) where deleted_at is null`

  yield* sql`create index proposal_region on proposal (region_id, created_at, id)`
  yield* sql`create index proposal_created on proposal (root_id, created_at, id) include (partner_id, region_id)`
  yield* sql`create index proposal_updated on proposal (root_id, updated_at, id) include (partner_id, region_id)`
  yield* sql`create index proposal_status on proposal (root_id, status, id) include (partner_id, region_id)`
  yield* sql`create index proposal_net_amount on proposal (root_id, net_amount, id) include (partner_id, region_id)`
})
