import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { createIndexes } from "./indexes.ts"

/** Validates the statuses of the migration 0021. Writes continue meanwhile. */
const validateStatuses = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => Effect.asVoid(sql`alter table proposal validate constraint proposal_status_check`)
)

const addTenants = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const unknown = sql.literal("'00000000-0000-0000-0000-000000000000'")
  yield* sql`
    alter table job
      add column if not exists root_id uuid not null default ${unknown},
      add column if not exists partner_id uuid not null default ${unknown}`
})

/** The long parts of the migration. An operator can run them before the upgrade (docs/upgrading.md). */
export const prepareTenantTurns = [
  validateStatuses,
  addTenants,
  ...createIndexes({
    job_partner: "on job (kind, root_id, partner_id, run_at)",
    job_running: "on job (kind, root_id, partner_id) where owner is not null"
  })
]

/**
 * Adds the tenants whose jobs and calls to the lender take turns (rule TURN-01), the latest turns of each partner, and
 * the alarms of each node. The partner of a job that an earlier version starts is unknown: the default. Such jobs take
 * turns as those of one more tenant until their partner is stored in the background. The defaults are constants, so no
 * row is rewritten.
 */
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.all(prepareTenantTurns, { discard: true })
  yield* sql`
    create table job_turn (
      kind text collate "C" not null,
      root_id uuid not null,
      partner_id uuid not null,
      turn_at timestamptz not null,
      primary key (kind, root_id, partner_id)
    ) with (fillfactor = 80)`
  yield* sql`create index job_turn_latest on job_turn (kind, turn_at)`
  yield* sql`create index job_turn_of_root on job_turn (kind, root_id, turn_at)`
  yield* sql`
    alter table lender_throttle
      add column lanes jsonb not null default '[]',
      add column served jsonb not null default '[]'`
  yield* sql`alter table node add column alarms text[] not null default '{}'`
})
