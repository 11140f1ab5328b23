import { assert } from "@effect/vitest"
import { type AuditEntry } from "@lastro/domain/audit"
import { runQuote, submitContract } from "@lastro/domain/jobs"
import { type PartnerDetail } from "@lastro/domain/partner"
import { type ProposalId, type QuoteId, timestampOf } from "@lastro/domain/values"
import { ScriptedLender } from "@lastro/testkit"
import { findAllViolations, type OriginationRecords } from "@lastro/testkit/scenarios"
import { Effect, References } from "effect"
import { SqlClient } from "effect/sql"
import { rounds } from "../../../../../test/rounds.ts"
import { checkInvariants, checkWork } from "../../../src/index.ts"
import { applicationColumns, applicationOf, type ApplicationRow } from "../../../src/origination/applicationRow.ts"
import { waitUntil } from "../../coordination.ts"
import { AnswerLog } from "./AnswerLog.ts"

/** Reads the ids of pending quotes, and of contracts whose last request the lender has not answered. */
const readPending = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const quotes = yield* sql<{ readonly id: QuoteId }>`select id from quote where outcome = 'PENDING'`
  const proposals = yield* sql<{ readonly id: ProposalId }>`
    select id from proposal
    where status in ('SUBMITTING', 'CANCELLING') or facts -> 'withdrawal' ->> 'is_confirmed' = 'false'`
  return { quotes: quotes.map(({ id }) => id), proposals: proposals.map(({ id }) => id) }
})

/** Verifies that every pending quote and contract has a stored job, then executes them in the test. */
export const runPendingJobs = Effect.gen(function*() {
  assert.deepStrictEqual(yield* checkWork, [])
  const { proposals, quotes } = yield* readPending
  yield* Effect.forEach(quotes, (id) => runQuote(id))
  yield* Effect.forEach(proposals, (id) => submitContract(id))
})

/** Waits until the nodes have executed all jobs. */
export const awaitPendingJobs = waitUntil(
  "every job has been executed",
  Effect.map(readPending, ({ proposals, quotes }) => proposals.length + quotes.length === 0)
)

/** Reads everything that was recorded about origination in one tree, or in all trees. */
const readOrigination = Effect.fnUntraced(function*(root: PartnerDetail | null) {
  const sql = yield* SqlClient.SqlClient
  const lender = yield* ScriptedLender
  const { answers } = yield* AnswerLog
  const inTree = root === null ? sql`true` : sql`item.root_id = ${root.partner_id}`
  const rows = yield* sql<ApplicationRow>`
    select ${sql.literal(applicationColumns)} from application item where ${inTree}`
  const audit = yield* sql<Omit<AuditEntry, "at"> & { readonly at: Date }>`
    select audit.* from audit join application item on audit.subject_id = item.id::text
    where ${inTree} order by audit.position`
  const applications = rows.map(applicationOf)
  const ids: ReadonlySet<string> = new Set(applications.map(({ application_id }) => application_id))
  const isInTree = (id: string) => root === null || ids.has(id)
  const origination: OriginationRecords = {
    applications,
    audit: audit.map((entry) => ({ ...entry, at: timestampOf(entry.at.getTime()) })),
    contracts: (yield* lender.contracts).filter(({ application_id }) => isInTree(application_id)),
    calls: yield* lender.calls,
    responses: answers.filter((one) =>
      isInTree(one._tag === "Quoting" ? one.application_id : one.answer.application_id)
    )
  }
  return origination
})

/**
 * Repeats a race, each time in a new tree. After every round the pending jobs are executed and the rules of origination are
 * verified in that tree. At the end the rules and every invariant of the stored data are verified for all trees.
 */
export const repeatRace = <
  G extends { readonly root: PartnerDetail },
  E,
  R,
  Call extends Effect.Effect<unknown, unknown, unknown>
>(
  makeFixture: Effect.Effect<G, E, R>,
  runRace: (fixture: G, round: number) => Generator<Call, void, never>,
  completeJobs: typeof runPendingJobs | typeof awaitPendingJobs = runPendingJobs
) =>
  Effect.gen(function*() {
    for (let round = 0; round < rounds; round++) {
      const fixture = yield* makeFixture
      yield* Effect.gen(() => runRace(fixture, round))
      yield* completeJobs
      assert.deepStrictEqual(findAllViolations(yield* readOrigination(fixture.root)), [])
    }
    assert.deepStrictEqual(findAllViolations(yield* readOrigination(null)), [])
    assert.deepStrictEqual(yield* checkInvariants, [])
  }).pipe(
    // A lender that does not answer causes warnings.
    Effect.provideService(References.MinimumLogLevel, "Error")
  )
