import { assert, describe, it } from "@effect/vitest"
import { type NodeAlarm, NodeAlarms } from "@lastro/domain/adapters"
import { jobName, jobsOf } from "@lastro/domain/jobs"
import { basicRequirements } from "@lastro/domain/kyc"
import {
  type Application,
  evolve,
  latestQuote,
  type LoanEvent,
  nextSettlementPoll,
  watchedUntil
} from "@lastro/domain/loan"
import { rejectionByLastro } from "@lastro/domain/offer"
import { currentTimestamp, type QuoteId, timestampOf } from "@lastro/domain/values"
import {
  acceptQuotedOffer,
  answerWithOffers,
  recordContractStatus,
  requestAnotherQuote,
  saveApplication,
  storeApplication,
  storeContractedApplication,
  storeRootPartner,
  submitExampleKyc
} from "@lastro/testkit"
import { Effect, Redacted } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { checkWork, PgDatabase, readAlarms } from "../../src/index.ts"
import { makeLeftLenderAlarm, readLeftLenders } from "../../src/jobs/leftLenders.ts"
import { makeSweep, startMissingJobs } from "../../src/jobs/startMissingJobs.ts"
import { migrateTo, migrations, released } from "../../src/migrations/migrate.ts"
import { freshDatabase } from "../postgres.ts"
import { database } from "./jobDatabase.ts"

/** Stores contracts as an earlier version leaves them: paid, not watched, and with jobs whose partner is unknown. */
const storeAsBefore = Effect.fnUntraced(function*(count: number) {
  const sql = yield* SqlClient.SqlClient
  const root = yield* storeRootPartner()
  const at = yield* currentTimestamp
  const contracts = yield* Effect.forEach(Array.from({ length: count }), () =>
    Effect.flatMap(
      storeContractedApplication(root, { at }),
      (application) => saveApplication(application, recordContractStatus(application, "PAID"))
    ))
  const pending = yield* Effect.forEach(Array.from({ length: count }), () => storeApplication(root, { at }))
  yield* startMissingJobs()
  yield* sql`delete from job where kind = 'contract'`
  yield* sql`update proposal set watched_until = null`
  yield* sql`update job set root_id = default, partner_id = default`
  return { root, contracts, pending }
})

const isFilled = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql`
      select from proposal where status = 'PAID' and watched_until is null
      union all select from job where root_id = '00000000-0000-0000-0000-000000000000'`,
    (rows) => rows.length === 0
  ))

/** Starts all missing jobs on a job table without rows, and returns their names. */
const startAll = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`delete from job`
  yield* startMissingJobs()
  const jobs = yield* sql<{ readonly name: string }>`select kind || '/' || id as name from job order by name`
  return jobs.map(({ name }) => name)
})

const namesOf = (application: Application) => jobsOf(application).map(jobName).toSorted()

describe("the sweep over the job table", () => {
  it.live("JOB-02 starts the jobs of the pending lenders of a quote, also after it was completed, and of its patience", () =>
    Effect.gen(function*() {
      const at = yield* currentTimestamp
      const first = yield* storeApplication(yield* storeRootPartner(), { at })
      const opened = yield* saveApplication(first, yield* answerWithOffers(first))
      const lenders = ["blue", "green"].map((code) => ({
        lender: { code, label: code },
        requirements: basicRequirements
      }))
      const quote_id = randomUUID() as QuoteId
      const asked = yield* saveApplication(
        opened,
        evolve(opened, {
          _tag: "QuoteRequested",
          at,
          quote_id,
          wish: latestQuote(opened).wish,
          lenders,
          routing: { strategy: "ALL", patience_ms: 15_000 }
        })
      )
      assert.deepStrictEqual(yield* startAll, [
        `patience/${quote_id}`,
        `quote:blue/${quote_id}`,
        `quote:green/${quote_id}`
      ])
      assert.deepStrictEqual(yield* startAll, namesOf(asked))
      const offers = latestQuote(opened).offers.map((offer) => ({ ...offer, lender: "blue" }))
      const answer = { at, offers, unpriced: [], unlawful: [] }
      const events: ReadonlyArray<LoanEvent> = [
        { _tag: "LenderOffered", lender: "blue", ...answer },
        { _tag: "QuoteCompleted", ...answer }
      ]
      const late = yield* saveApplication(asked, events.reduce(evolve, asked))
      assert.deepStrictEqual(yield* startAll, [`patience/${quote_id}`, `quote:green/${quote_id}`])
      assert.deepStrictEqual(yield* startAll, namesOf(late))
      assert.deepStrictEqual(yield* checkWork, [])
      const requoted = yield* saveApplication(late, yield* requestAnotherQuote(late))
      assert.deepStrictEqual(yield* startAll, namesOf(requoted), "the late lender is no longer needed")
    }).pipe(Effect.provide(database, { local: true })))

  it.live("LENDER-28 JOB-02 jobs of a lender that left raise an alarm while they are needed, and are deleted afterwards", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const at = yield* currentTimestamp
      const first = yield* storeApplication(yield* storeRootPartner(), { at })
      const opened = yield* saveApplication(first, yield* answerWithOffers(first))
      const lenders = ["gone", "here"].map((code) => ({
        lender: { code, label: code },
        requirements: basicRequirements
      }))
      const { wish } = latestQuote(opened)
      const quote_id = randomUUID() as QuoteId
      const routing = { strategy: "ALL", patience_ms: 15_000 } as const
      const asked = yield* saveApplication(
        opened,
        evolve(opened, { _tag: "QuoteRequested", at, quote_id, wish, lenders, routing })
      )
      yield* startMissingJobs()
      const alarms = new Map<NodeAlarm, number>()
      const look = makeLeftLenderAlarm(sql, ["here"])
      const raised = Effect.provideService(look, NodeAlarms, alarms).pipe(Effect.map(() => [...alarms.keys()]))
      assert.deepStrictEqual(yield* raised, ["LENDER_LEFT:gone"])
      const next = randomUUID() as QuoteId
      yield* saveApplication(asked, evolve(asked, { _tag: "QuoteRequested", at, quote_id: next, wish }))
      assert.deepStrictEqual(yield* raised, [])
      const left = yield* sql<{ readonly kind: string }>`select kind from job where kind like 'quote:%'`
      assert.deepStrictEqual(left.map(({ kind }) => kind), ["quote:here"], "the node that has the lender ends its job")
    }).pipe(Effect.provide(database, { local: true })))

  it.live("LENDER-27 LENDER-28 jobs without a code belong to the lender that their record names, and a check lists it", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const at = yield* currentTimestamp
      const root = yield* storeRootPartner()
      const opened = yield* storeApplication(root, { at })
      const lenders = [{ lender: { code: "old", label: "Old" }, requirements: basicRequirements }]
      const quote_id = randomUUID() as QuoteId
      const { offers, wish } = latestQuote(yield* answerWithOffers(opened))
      const failed: LoanEvent = { _tag: "QuoteFailed", at, rejection: rejectionByLastro("NO_ANSWER") }
      const requested: LoanEvent = { _tag: "QuoteRequested", at, quote_id, wish, lenders }
      yield* saveApplication(opened, [failed, requested].reduce(evolve, opened))
      const sold = yield* storeApplication(root, { at })
      const answer: LoanEvent = {
        _tag: "QuoteCompleted",
        at,
        offers: offers.map((offer) => ({ ...offer, lender: "older" })),
        unpriced: [],
        unlawful: []
      }
      yield* saveApplication(sold, yield* acceptQuotedOffer(submitExampleKyc(evolve(sold, answer))))
      yield* startMissingJobs()
      assert.sameMembers(yield* readLeftLenders(sql, ["new"]), ["old", "older"])
      assert.deepStrictEqual(yield* readLeftLenders(sql, ["old", "older"]), [])
      assert.deepStrictEqual(yield* readAlarms(["older"]), [{ alarm: "LENDER_LEFT:old", node: null }])
      yield* storeContractedApplication(root, { at })
      yield* startMissingJobs()
      assert.deepStrictEqual(yield* readLeftLenders(sql, ["old", "older"]), ["?"])
      yield* sql`delete from job where id <> all(select id from proposal where lender is null)`
      assert.deepStrictEqual(yield* readLeftLenders(sql, ["the only one"]), [])
    }).pipe(Effect.provide(database, { local: true })))

  it.live("PROP-17 TURN-01 stores the watches and the partners that an earlier version left empty, in pieces", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { contracts, root } = yield* storeAsBefore(7)
      // The facts of one contract cannot be read, which does not stop the others.
      const [unreadable, ...readable] = contracts
      yield* sql`delete from quote where application_id = ${unreadable?.application_id ?? ""}`
      const sweep = makeSweep(2)
      let parts = 1
      while (!(yield* sweep).isLast) parts++
      assert.isAtLeast(parts, 8)
      const now = Date.now()
      for (const contract of readable) {
        const { proposal } = contract
        const [row] = yield* sql<{ readonly until: Date; readonly run_at: Date; readonly root_id: string }>`
          select proposal.watched_until as until, run_at, job.root_id from proposal join job using (id)
          where id = ${proposal?.proposal_id ?? ""}`
        const poll_at = Date.parse(nextSettlementPoll(contract, timestampOf(now)) ?? "")
        assert.strictEqual(row?.until.toISOString(), new Date(watchedUntil(contract) ?? "").toISOString())
        assert.approximately(row?.run_at.getTime() ?? 0, Math.max(poll_at, now + 86_400_000), 60_000)
        assert.strictEqual(row?.root_id, root.partner_id)
      }
      assert.deepStrictEqual(
        yield* sql`select distinct root_id, partner_id from job where kind = 'quote'`,
        [{ root_id: root.partner_id, partner_id: root.partner_id }]
      )
    }).pipe(Effect.provide(database, { local: true })))

  it.live("PROP-17 stores the watches of contracts that are no longer polled, and starts no job of them", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* storeAsBefore(2)
      // The annual withdrawals were due twenty years ago.
      yield* sql`
        update quote set facts =
          regexp_replace(facts::text, '("due_date" ?: ?")(20)(\\d)', '\\1200', 'g')::json
        where outcome = 'COMPLETED'`
      yield* startMissingJobs()
      assert.isTrue(yield* isFilled)
      assert.deepStrictEqual(yield* sql`select from job where kind = 'contract'`, [])
      const [watch] = yield* sql`select max(watched_until) < now() as is_over from proposal`
      assert.deepStrictEqual(watch, { is_over: true })
    }).pipe(Effect.provide(database, { local: true })))

  it.live("FGTS-71 stores the place of a contract that is not paid and has a single place", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* storeContractedApplication(yield* storeRootPartner(), { at: yield* currentTimestamp })
      const select = sql`select place, place_until::text, course::text, placed_version from application`
      const stored = yield* select
      yield* sql`update application set place = null, course = null, placed_version = null`
      yield* startMissingJobs()
      assert.deepStrictEqual(yield* select, stored)
    }).pipe(Effect.provide(database, { local: true })))

  it.live("continues in the next sweep with what a node of the earlier version has written meanwhile", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { contracts } = yield* storeAsBefore(3)
      const sweep = makeSweep(2)
      while (!(yield* sweep).isLast);
      assert.isTrue(yield* isFilled)
      const [late] = contracts
      yield* sql`update proposal set watched_until = null where id = ${late?.proposal?.proposal_id ?? ""}`
      yield* sql`update job set root_id = default, partner_id = default where kind = 'quote'`
      assert.isFalse(yield* isFilled)
      while (!(yield* sweep).isLast);
      assert.isTrue(yield* isFilled)
    }).pipe(Effect.provide(database, { local: true })))

  it.live(
    "a sweep over many contracts reads few rows at a time, and none of those that are complete",
    () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { contracts } = yield* storeAsBefore(1)
        yield* startMissingJobs()
        yield* sql`alter table proposal drop constraint proposal_application_id_fkey`
        yield* sql`drop index proposal_lender_reference`
        yield* sql`
        insert into proposal
        select (jsonb_populate_record(one, jsonb_build_object('id', gen_random_uuid(), 'number', series.n,
          'application_id', gen_random_uuid()))).*
        from proposal one, generate_series(1000001, 1003000) series (n) where one.id = ${
          contracts[0]?.proposal?.proposal_id ?? ""
        }`
        yield* sql`
        insert into job (kind, id, root_id, partner_id, run_at)
        select 'contract', id, root_id, partner_id, now() + interval '30 days' from proposal on conflict do nothing`
        yield* sql`analyze application, proposal, quote, job`
        const read = sql<{ readonly rows: number }>`
        select (pg_stat_get_xact_tuples_returned('proposal'::regclass)
          + pg_stat_get_xact_tuples_fetched('proposal'::regclass))::int as rows`
        const sweep = makeSweep(100)
        for (let part = 0; part < 3; part++) {
          const rows = yield* sql.withTransaction(Effect.gen(function*() {
            const [before] = yield* read
            assert.isFalse((yield* sweep).isLast)
            const [after] = yield* read
            return (after?.rows ?? 0) - (before?.rows ?? 0)
          }))
          assert.isAtMost(rows, 500)
        }
      }).pipe(Effect.provide(database, { local: true })),
    60_000
  )

  it.live(
    "the migrations 0021 and 0022 rewrite no row of a populated table, and validate the statuses",
    () =>
      Effect.gen(function*() {
        const url = Redacted.make(yield* freshDatabase)
        yield* Effect.gen(function*() {
          const sql = yield* SqlClient.SqlClient
          const before = Object.fromEntries(Object.entries(migrations).slice(0, 20))
          yield* Migrator.make({})({ loader: Migrator.fromRecord(before), table: "lastro_migration" })
          yield* sql`
          insert into job (kind, id, run_at)
          select 'quote', gen_random_uuid(), now() + interval '1 hour' from generate_series(1, 20000)`
          const rows =
            sql`select min(xmin::text::bigint)::text as first, max(xmin::text::bigint)::text as last from job`
          const written = yield* rows
          yield* migrateTo(released)
          assert.deepStrictEqual(yield* rows, written)
          assert.deepStrictEqual(
            yield* sql`select convalidated from pg_constraint where conname = 'proposal_status_check'`,
            [{ convalidated: true }]
          )
        }).pipe(Effect.provide(PgDatabase.layer({ url }), { local: true }))
      }),
    60_000
  )

  it.live("JOB-02 gets exactly the jobs that the stored applications need, in each of their states", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const root = yield* storeRootPartner()
      const at = yield* currentTimestamp
      const pending = yield* storeApplication(root, { at })
      const store = Effect.fnUntraced(
        function*(...steps: ReadonlyArray<(one: Application) => Effect.Effect<Application>>) {
          let application = yield* storeApplication(root, { at })
          for (const step of steps) application = yield* saveApplication(application, yield* step(application))
          return application
        }
      )
      const withStatus = (status: Parameters<typeof recordContractStatus>[1]) =>
        Effect.flatMap(
          storeContractedApplication(root, { at }),
          (application) => saveApplication(application, recordContractStatus(application, status))
        )
      const statuses = ["AWAITING_SIGNATURE", "GUARANTEE_PENDING", "DISBURSING", "DISBURSEMENT_FAILED", "PAID"] as const
      const applications = [
        pending,
        yield* store(answerWithOffers),
        yield* store(answerWithOffers, requestAnotherQuote),
        yield* storeContractedApplication(root, { at }),
        ...yield* Effect.forEach([...statuses, "CANCELLED", "REJECTED"] as const, withStatus)
      ]
      yield* sql`delete from job`
      yield* startMissingJobs()
      const stored = yield* sql<{ readonly name: string }>`select kind || '/' || id as name from job`
      const watched = applications.filter((one) => (watchedUntil(one) ?? at) > at)
        .map(({ proposal }) => `contract/${proposal?.proposal_id}`)
      const needed = [...applications.flatMap(jobsOf).map(jobName), ...watched]
      assert.deepStrictEqual([needed.length, watched.length], [8, 1])
      assert.sameMembers(stored.map(({ name }) => name), needed)
    }).pipe(Effect.provide(database)))

  it.live("gets the jobs that an earlier version or a repair left out", () =>
    Effect.gen(function*() {
      const at = yield* currentTimestamp
      const root = yield* storeRootPartner()
      const pending = yield* storeApplication(root, { at })
      const contract = yield* storeContractedApplication(root, { at })
      assert.strictEqual((yield* checkWork).length, 2)
      assert.strictEqual(yield* startMissingJobs(), 2)
      assert.strictEqual(yield* startMissingJobs(), 0)
      assert.deepStrictEqual(yield* checkWork, [])
      const sql = yield* SqlClient.SqlClient
      const ids = (yield* sql<{ readonly id: string }>`select id from job`).map(({ id }) => id)
      assert.sameMembers(ids, [pending.quotes[0].quote_id, contract.proposal?.proposal_id ?? ""])
    }).pipe(Effect.provide(database)))
})
