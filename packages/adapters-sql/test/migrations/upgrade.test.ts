import { assert, it } from "@effect/vitest"
import { pollContract, runQuote, submitContract } from "@lastro/domain/jobs"
import { applicationStatus } from "@lastro/domain/loan"
import { cancelApplication, storeProposal, withdrawFromProposal } from "@lastro/domain/origination"
import { currentTimestamp, timestampOf } from "@lastro/domain/values"
import {
  recordContractStatus,
  saveApplication,
  ScriptedLender,
  storeContractedApplication,
  storeForest
} from "@lastro/testkit"
import { contractedHistory, type History, history } from "@lastro/testkit/arbitraries"
import { Effect, Layer, Redacted, References } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import * as fc from "fast-check"
import { firstStatuses, laterFields } from "../../../domain/test/origination/firstVersion.ts"
import { applicationCounts } from "../../src/hierarchy/countColumns.ts"
import { checkInvariants, checkWork, foldCounts, migrate, PgDatabase } from "../../src/index.ts"
import { startMissingJobs } from "../../src/jobs/startMissingJobs.ts"
import { migrations } from "../../src/migrations/migrate.ts"
import { acceptAndLog } from "../origination/races/AnswerLog.ts"
import {
  makeAcceptableApplication,
  makeOpenedApplication,
  makeQuotedApplication
} from "../origination/races/fixtures.ts"
import { layerStartOnlyNode } from "../origination/races/nodes.ts"
import { storeHistory } from "../origination/storeHistory.ts"
import { freshDatabase } from "../postgres.ts"
import { schemaOf } from "./schemaOf.ts"

/** Makes the schema and the data those of the version before the migration 0010. */
const undo = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  while ((yield* foldCounts) > 0);
  yield* sql`
    drop table commission_plan, commission_entry, commission_closing, commission_payout, commission_statement,
      commission_sum, commission_visible, commission_contract`
  yield* sql`drop function commission_refuse_change()`
  yield* sql`drop index proposal_commissioned`
  yield* sql`alter table proposal drop column commission, drop column commission_partners`
  yield* sql`alter table partner drop column moves`
  yield* sql`drop trigger application_placed on application`
  yield* sql`drop trigger application_moved on application`
  yield* sql`drop function count_application_places()`
  yield* sql`drop table application_place_count, application_place_delta`
  yield* sql`drop index application_creator`
  yield* sql`
    alter table application drop column place, drop column place_from, drop column place_until, drop column course,
      drop column placed_version`
  yield* sql`
    alter table proposal drop column created_by, drop column lender, drop column table_code, drop column paid_at`
  yield* sql`alter table lastro_migration drop column lowest_program`
  yield* sql`alter table node drop column schema_version, drop column runs_jobs, drop column alarms, drop column load`
  yield* sql`drop index proposal_open`
  yield* sql`
    create unique index proposal_reference on proposal ((facts ->> 'reference')) where not reference_repeated`
  yield* sql`
    alter table api_client drop column previous_secret_hash, drop column previous_version,
      drop column previous_valid_until, drop column name, drop column name_folded`
  for (const table of ["partner", "app_user", "application"]) {
    yield* sql`alter table ${sql(table)} drop column erased_at`
  }
  yield* sql`alter table idempotency drop column record_id`
  yield* sql`drop view partner_ancestor`
  yield* sql`drop index partner_region_deleted`
  yield* sql`drop table audit_count, audit_count_fold, ended_session, event, event_head, event_subscription, job_turn, partner_routing, webhook, webhook_delivery`
  yield* sql`alter table app_user drop column email_alias`
  yield* sql`alter table quote drop column expiry_due, drop column open_until`
  yield* sql`drop index audit_position, proposal_agent, proposal_seller`
  yield* sql`drop index audit_partner_time, audit_at, audit_actor_time, audit_action_time`
  yield* sql`create index audit_partner on audit (partner_id, position)`
  for (const table of ["partner", "app_user", "application"]) yield* sql`alter table ${sql(table)} drop column metadata`
  yield* sql`drop table application_expiry, application_expiry_fold, lender_callback`
  yield* sql`drop index application_cpf, application_partner, application_created, application_updated`
  yield* sql`
    alter table application drop column region_id, drop column stage, drop column live_until, drop column rejection_code,
      drop column listed, drop column requirements, drop column cancellation`
  for (const table of ["subtree_count", "subtree_count_delta"]) {
    for (const column of ["applications", ...applicationCounts]) {
      yield* sql`alter table ${sql(table)} drop column ${sql(column)}`
    }
  }
  yield* sql`update proposal set facts = (facts::jsonb - ${laterFields}::text[])::json`
  yield* sql`alter table proposal drop constraint proposal_status_check`
  yield* sql`
    alter table proposal add constraint proposal_status_check
      check (status in (${sql.literal(firstStatuses.map((status) => `'${status}'`).join(", "))}))`
  yield* sql`alter table proposal drop column watched_until`
  yield* sql`drop table lender_throttle`
  yield* sql`
    alter table job drop column lender_state, drop column callback_key, drop column slot_at, drop column wakes,
      drop column woken_at, drop column root_id, drop column partner_id, drop column traceparent,
      drop column is_poll_next`
  yield* sql`delete from lastro_migration where migration_id >= 10`
})

const oldMigrations = Object.fromEntries(Object.entries(migrations).slice(0, 9))

/** The schema of the version before the migration 0010. */
const oldSchema = Effect.flatMap(freshDatabase, (url) =>
  Effect.provide(
    Effect.andThen(
      Migrator.make({})({ loader: Migrator.fromRecord(oldMigrations), table: "lastro_migration" }),
      schemaOf
    ),
    PgDatabase.layer({ url: Redacted.make(url) }),
    { local: true }
  ))

/** Returns whether the version before 0010 can store every state of a history. */
const isOld = ({ steps }: History): boolean =>
  steps.every(({ after: { cancellation, proposal } }) =>
    cancellation === null &&
    (proposal === null || firstStatuses.includes(proposal.status) && !storeProposal(proposal).withdrawal)
  )

const makeAccepted = Effect.gen(function*() {
  const one = yield* makeAcceptableApplication
  return { ...one, proposal_id: (yield* acceptAndLog(one.writers[0], one.application_id, one.offers[0])).proposal_id }
})

const makeContracted = (status: "AWAITING_SIGNATURE" | "PAID") =>
  Effect.gen(function*() {
    const accepted = yield* makeAccepted
    yield* (yield* ScriptedLender).setContractStatus(status)
    yield* submitContract(accepted.proposal_id)
    return accepted
  })

// The node adds pending counts in the background, which fails and is logged while the schema is old.
const node = Layer.provideMerge(layerStartOnlyNode, Layer.succeed(References.MinimumLogLevel, "None"))

it.layer(node, { excludeTestServices: true, timeout: "1 minute" })(
  "the migrations 0010 to 0014",
  (it) => {
    it.effect("migrate a database with applications in every state, which then go on", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const lender = yield* ScriptedLender
        yield* lender.setActions("done")
        const partners = yield* storeForest([null, 0, 1, null])
        const histories = fc.sample(fc.oneof(history(8), contractedHistory).filter(isOld), 60)
        for (const [index, one] of histories.entries()) yield* storeHistory(partners[index % 4] ?? partners[0], one)
        const old = yield* storeContractedApplication(partners[0], { at: timestampOf(Date.now() - 60 * 86_400_000) })
        yield* saveApplication(old, recordContractStatus(old, "PAID"))

        const opened = yield* makeOpenedApplication
        const quoted = yield* makeQuotedApplication
        const acceptable = yield* makeAcceptableApplication
        const accepted = yield* makeAccepted
        const signing = yield* makeContracted("AWAITING_SIGNATURE")
        const paid = yield* makeContracted("PAID")
        yield* sql`delete from job where id = ${paid.proposal_id}`
        yield* undo
        assert.strictEqual(yield* schemaOf, yield* oldSchema)

        const ran = yield* migrate
        const newIds = Object.keys(migrations).slice(9).map((id) => Number.parseInt(id, 10))
        assert.deepStrictEqual(ran.map(([id]) => id), newIds)
        assert.deepStrictEqual(yield* sql`select from proposal where watched_until is not null`, [])
        yield* startMissingJobs()
        assert.deepStrictEqual(yield* checkInvariants, [])
        const observed = yield* sql<{ readonly id: string }>`
        select id from job join proposal using (id) where kind = 'contract' and status = 'PAID'`
        const paidContracts = yield* sql<{ readonly id: string; readonly updated_at: Date; readonly last_due: string }>`
        select id, updated_at, list_item #>> '{loan,last_due_date}' as last_due from proposal where status = 'PAID'`
        // Some histories end more than ten days ago. Their contracts are polled ten days after their next due date.
        const now = Date.now()
        const days = (count: number) => count * 86_400_000
        const isRecent = ({ updated_at }: { readonly updated_at: Date }) => updated_at.getTime() > now - days(10)
        const recent = paidContracts.filter(isRecent)
        assert.includeMembers(recent.map(({ id }) => id), [paid.proposal_id])
        const watched = paidContracts.filter((one) =>
          isRecent(one) || Date.parse(`${one.last_due}T03:00:00Z`) + days(10) > now
        )
        assert.isAbove(watched.length, recent.length)
        assert.sameMembers(observed.map(({ id }) => id), watched.map(({ id }) => id))
        const [soonest] = yield* sql<{ readonly run_at: Date }>`
          select min(run_at) as run_at from job where id = any(${
          watched.filter((one) => !isRecent(one)).map(({ id }) => id)
        }::uuid[])`
        assert.isAbove(soonest?.run_at.getTime() ?? 0, now + days(1) - 60_000)
        assert.deepStrictEqual((yield* checkWork).filter(({ invariant }) => invariant.includes("job")), [])

        const statusOf = (one: typeof opened) =>
          Effect.gen(function*() {
            const application = yield* one.readApplication
            return application.proposal?.status ?? applicationStatus(application, yield* currentTimestamp)
          })
        yield* runQuote(opened.quote_id)
        assert.strictEqual(yield* statusOf(opened), "QUOTED")
        yield* cancelApplication(quoted.writers[0], quoted.application_id, { reason: "CUSTOMER_REQUEST" })
        assert.strictEqual(yield* statusOf(quoted), "CANCELLED")
        yield* acceptAndLog(acceptable.writers[0], acceptable.application_id, acceptable.offers[0])
        assert.strictEqual(yield* statusOf(acceptable), "SUBMITTING")
        yield* lender.setContractStatus("GUARANTEE_PENDING")
        yield* submitContract(accepted.proposal_id)
        assert.strictEqual(yield* statusOf(accepted), "GUARANTEE_PENDING")
        yield* lender.moveContract(signing.proposal_id, "PAID")
        yield* pollContract(signing.proposal_id)
        assert.strictEqual(yield* statusOf(signing), "PAID")
        yield* withdrawFromProposal(paid.writers[0], paid.proposal_id, { reason: "CUSTOMER_REQUEST" })
        assert.strictEqual(yield* statusOf(paid), "REFUND_PENDING")
        while ((yield* foldCounts) > 0);
        assert.deepStrictEqual(yield* checkInvariants, [])
      }), 120_000)
  }
)
