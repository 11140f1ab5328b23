import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { createIndexes } from "./indexes.ts"

/**
 * The indexes that find the records of a person and the audit entries that are not counted yet, and the indexes with
 * which a list counts audit entries without reading the table. An operator can create them `concurrently` before the
 * upgrade (docs/upgrading.md). A hash index stores only a hash of the CPF.
 */
export const auditAndPersonIndexes = createIndexes({
  app_user_person: "on app_user using hash (cpf) where erased_at is null",
  partner_person: "on partner using hash (document_number) where erased_at is null",
  partner_person_pix: "on partner using hash ((pix ->> 'key')) where erased_at is null",
  proposal_agent: "on proposal using hash ((facts #>> '{origin,agent,cpf}'))",
  proposal_seller: "on proposal using hash ((facts #>> '{origin,partner,document_number}'))",
  idempotency_partner: "on idempotency (partner_id) where record_id is null",
  audit_position: "on audit (position)",
  audit_partner_time: "on audit (partner_id, at, id) include (action, actor)",
  audit_actor_time: "on audit (actor, at, id) include (action, partner_id)",
  audit_action_time: "on audit (action, at, id) include (actor, partner_id)"
})

/**
 * Adds the counts of the audit entries of each tree, in total, by action, and of busy actors. `grain` is the length of
 * the time that a row counts, from `starts_at`: `ever`, `day` or `hour`, in UTC. `audit_count_fold` has the position of
 * the last entry that is counted. Nodes count the existing entries in the background. Nodes of the previous version
 * keep working: they only insert entries.
 */
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.all(auditAndPersonIndexes, { discard: true })
  yield* sql`
    create table audit_count (
      root_id uuid not null,
      field text collate "C" not null check (field in ('all', 'action', 'actor')),
      value text collate "C" not null,
      grain text collate "C" not null check (grain in ('ever', 'day', 'hour')),
      starts_at timestamptz(3) not null,
      entries bigint not null,
      primary key (root_id, field, value, grain, starts_at)
    )`
  yield* sql`
    create table audit_count_fold (
      singleton boolean primary key default true check (singleton),
      folded_until bigint not null
    )`
  yield* sql`insert into audit_count_fold (folded_until) values (0)`
  yield* sql`drop index audit_partner_at, audit_actor, audit_action`
})
